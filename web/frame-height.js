/** For a page with frames of the playground: each frame gets the height that its content asks for. */
addEventListener("message", ({ source, data }) => {
  if (data?.type !== "attention-playground:height") return;
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source) frame.height = data.height;
});
