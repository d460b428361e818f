/**
 * Rows of buttons that save files, one for each format; shared by the menu of a tensor and the Share dialog.
 */
import { css, html, type TemplateResult } from "lit";

export const tableForms = ["csv", "json", "npy"] as const;
export const pictureForms = ["png", "svg"] as const;
export type Form = (typeof tableForms)[number] | (typeof pictureForms)[number] | "gif" | "safetensors";

/** The label of each format on its button. */
export const formName: Readonly<Record<Form, string>> = {
  csv: ".csv",
  json: "JSON",
  npy: ".npy",
  png: "PNG",
  svg: "SVG",
  gif: "GIF",
  safetensors: ".safetensors",
};

export const buttonRow = (
  forms: readonly Form[],
  labelOf: (format: string) => string,
  save: (form: Form) => void,
): TemplateResult =>
  html`<div class="forms">
    ${forms.map(
      (form) =>
        html`<button class="button" aria-label=${labelOf(formName[form])} @click=${() => save(form)}>
          ${formName[form]}
        </button>`,
    )}
  </div>`;

/** A button that opens the file chooser. */
export const fileButton = (label: string, accept: string, chosen: (file: File) => void): TemplateResult =>
  html`<button
      class="button"
      @click=${(event: Event) => (event.currentTarget as HTMLElement).parentElement?.querySelector("input")?.click()}
    >
      ${label}</button
    ><input
      type="file"
      hidden
      tabindex="-1"
      aria-label=${label}
      accept=${accept}
      @change=${(event: Event) => {
        const field = event.target as HTMLInputElement;
        const file = field.files?.[0];
        field.value = "";
        if (file) chosen(file);
      }}
    />`;

export const formsLook = css`
  .forms {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
`;
