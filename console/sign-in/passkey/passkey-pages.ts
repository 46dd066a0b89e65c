/** Renders the pages on which passkeys are created and used; a script carries the browser's answer in their form. */
import { html } from 'ghtml'
import { tokenField } from '../../../gateway/platform/http/pages/form-token.ts'
import type { ConsolePage } from '../../layout/console-page.ts'
import { consoleText } from '../../texts/console-texts.ts'
import type { UserAccount } from '../../users/user-account.ts'
import { interruptedNotice, SIGN_IN_PATH, type SignInTarget } from '../sign-in-page.ts'
import type { PasskeyOptions } from './verify-passkey.ts'

export const PASSKEY_PATH = `${SIGN_IN_PATH}/passkey`
export const INVITATION_PATH = '/console/invitation/:token'

export function passkeySignInPage(options: PasskeyOptions, token: string, target: SignInTarget): ConsolePage {
  const body = html`!${interruptedNotice(target)}
!${passkeyForm({ ...options, token, path: PASSKEY_PATH, use: 'get', label: consoleText('passkeys.signIn') })}
<p class="quiet">${consoleText('passkeys.none')}</p>`
  return { kind: 'page', title: consoleText('signIn.title'), body, scripts: [PASSKEY_SCRIPT_PATH] }
}

export function invitationPage(
  user: UserAccount,
  options: PasskeyOptions,
  { token, path }: { readonly token: string; readonly path: string },
): ConsolePage {
  const roles = user.roles.map((role) => consoleText(`roles.${role}`)).join(', ')
  const body = html`<p>${consoleText('passkeys.invited', { name: user.name, roles })}</p>
!${passkeyForm({ ...options, token, path, use: 'create', label: consoleText('passkeys.create') })}
<p class="quiet">${consoleText('passkeys.explain')}</p>`
  return { kind: 'page', title: consoleText('passkeys.invitationTitle'), body, scripts: [PASSKEY_SCRIPT_PATH] }
}

/** For an invitation or an answer that proves nothing. */
export function passkeyProblemPage(problem: 'invitationOver' | 'notProven'): ConsolePage {
  const body = html`<p>${consoleText(`passkeys.${problem}`)}</p>
<p class="actions"><a class="button second" href="${SIGN_IN_PATH}">${consoleText('signIn.again')}</a></p>`
  return { kind: 'page', status: 400, title: consoleText('signInProblems.title'), body }
}

type PasskeyForm = PasskeyOptions & {
  readonly token: string
  readonly path: string
  readonly use: 'create' | 'get'
  readonly label: string
}

export function passkeyForm({ challenge, options, token, path, use, label }: PasskeyForm): string {
  return html`<form class="actions" method="post" action="${path}" data-passkey="${use}" data-options="${JSON.stringify(options)}">
!${tokenField(token)}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="answer" value="">
<button>${label}</button>
</form>
<p class="error" role="alert" data-passkey-error hidden>${consoleText('passkeys.failed')}</p>
<noscript><p class="error">${consoleText('passkeys.noScript')}</p></noscript>`
}

export const PASSKEY_SCRIPT_PATH = '/assets/console-passkey.mjs'
export const PASSKEY_SCRIPT_FILE = new URL('./passkey-browser.mjs', import.meta.url)
