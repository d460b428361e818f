/** 网站新版本的文字。 */
export const zhCN = {
  "version.ready": "有新版本可用。",
  "version.ready_body": "本页仍用打开时的版本。",
  "version.reload": "刷新",
} as const;
