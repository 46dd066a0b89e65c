/** Copies the value of a button to the clipboard, in the browser. */
// @ts-nocheck It runs in browsers, whose types no other file needs.

const SHOWN_MILLISECONDS = 2_000

document.documentElement.classList.add('scripted')
document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (!(button instanceof HTMLElement)) {
    return
  }
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  if (button.classList.contains('copied')) {
    return
  }
  // The text of an icon is for screen readers.
  const label = button.querySelector('span') ?? button
  const { textContent } = label
  label.textContent = button.dataset.copied ?? ''
  button.classList.add('copied')
  setTimeout(() => {
    label.textContent = textContent
    button.classList.remove('copied')
  }, SHOWN_MILLISECONDS)
})
