/** For a page with frames of the playground: each frame gets the height that its content asks for. */
{
  const type = "attention-playground:height";
  addEventListener("message", ({ source, data }) => {
    if (data?.type !== type) return;
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source) frame.height = data.height;
  });
  // Those that told it before this script was there tell it again.
  for (const frame of document.querySelectorAll('iframe[src*="embed.html"]'))
    frame.contentWindow.postMessage({ type }, "*");
}
