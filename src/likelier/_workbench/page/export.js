// Export: downloads. Links work as they are; where the server wants a token, the files are fetched with it.

import { download } from "./api.js";
import { byId, several } from "./dom.js";
import * as figures from "./figures.js";
import { follow, listen } from "./live.js";
import { trying } from "./shell.js";

for (const link of document.querySelectorAll("a[download]")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    trying(() => download(link.getAttribute("href"), link.download));
  });
}

follow(found => {
  byId("stands").textContent = `${figures.progress(found.progress)}, ${several(found.labels.length, "label")}`;
});
listen();
