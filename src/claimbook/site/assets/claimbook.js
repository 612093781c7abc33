// The reader's language is kept for the chooser at the root, and a switch stays at the same anchor.
for (const link of document.querySelectorAll("a.cb-language")) {
  link.addEventListener("click", () => {
    link.href = link.href.split("#")[0] + location.hash
    try { localStorage.setItem("claimbook-language", link.hreflang) } catch { /* storage is switched off */ }
  })
}

// A link to a check opens the table that it stands in; print shows all evidence.
const open = id => {
  const target = id && document.getElementById(id)
  for (let details = target && target.closest("details"); details; details = details.parentElement.closest("details")) {
    details.open = true
  }
  if (target && target.matches("tr")) target.scrollIntoView({ block: "center" })
}
addEventListener("hashchange", () => open(decodeURIComponent(location.hash.slice(1))))
open(decodeURIComponent(location.hash.slice(1)))
addEventListener("click", event => {
  const link = event.target.closest && event.target.closest("a.cb-mark")
  if (link) open(link.hash.slice(1))
})
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.cb-evidence")) details.open = true
})

for (const button of document.querySelectorAll("button.cb-copy")) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.classList.add("cb-copied")
    setTimeout(() => button.classList.remove("cb-copied"), 1500)
  })
}
