/** For a page with frames of the playground: gives each frame the height that its content requests. */
{
  const type = "attention-playground:height";
  addEventListener("message", ({ source, data }) => {
    if (data?.type !== type) return;
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source) frame.height = data.height;
  });
  // Frames that reported their height before this script ran report it again.
  for (const frame of document.querySelectorAll(
    'iframe[src*="embed.html"], iframe[src*="embed-training.html"]',
  ))
    frame.contentWindow.postMessage({ type }, "*");
}
