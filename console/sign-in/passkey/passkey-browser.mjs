/** In the browser: has the authenticator create or use a passkey, and sends its answer with the form. */
// @ts-nocheck It runs in browsers, whose types no other file needs.

const form = document.querySelector('form[data-passkey]')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const error = document.querySelector('[data-passkey-error]')
  error.hidden = true
  answerOf(form.dataset.passkey, JSON.parse(form.dataset.options)).then(
    (answer) => {
      form.elements.answer.value = JSON.stringify(answer)
      form.submit()
    },
    () => {
      error.hidden = false
    },
  )
})

async function answerOf(use, options) {
  const credential =
    use === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  return credential.toJSON()
}
