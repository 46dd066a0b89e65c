/** Renders the sign-in page of installations with an OpenID Connect provider, and why signing in there failed. */
import { html } from 'ghtml'
import type { ConsoleProviderSettings } from '../../../gateway/config/console-settings.ts'
import { allowedHostsOf } from '../../../gateway/identity/provider-discovery.ts'
import { tokenField } from '../../../gateway/platform/http/pages/form-token.ts'
import type { ConsolePage } from '../../layout/console-page.ts'
import { consoleText } from '../../texts/console-texts.ts'
import { interruptedNotice, SIGN_IN_PATH, type SignInTarget, targetFields } from '../sign-in-page.ts'

export const PROVIDER_PATH = `${SIGN_IN_PATH}/provider`
/** Asks the provider again who the user of a session is and which roles they have. */
export const RENEWAL_PATH = `${PROVIDER_PATH}/renewal`
export const RETURN_PATH = `${SIGN_IN_PATH}/return`

/** Why the sign-in failed. */
export type SignInProblem = keyof typeof STATUS_BY_PROBLEM

const STATUS_BY_PROBLEM = {
  /** Used before, begun in another browser, or too long ago. */
  over: 400,
  denied: 400,
  'no-role': 403,
  'several-partners': 403,
  'partner-disabled': 403,
  unavailable: 503,
  failed: 502,
} as const

/** The form leads to the provider, to whose hosts alone browsers are redirected. */
export function providerSignInPage(
  provider: ConsoleProviderSettings,
  token: string,
  target: SignInTarget,
): ConsolePage {
  const { protocol, host } = new URL(provider.issuer)
  const body = html`!${interruptedNotice(target)}
<form class="actions" method="post" action="${PROVIDER_PATH}">
!${tokenField(token)}
!${targetFields(target)}
<button>${consoleText('signIn.atProvider', { host })}</button>
</form>`
  const formTargets = allowedHostsOf(provider).map((allowed) => `${protocol}//${allowed}`)
  return { kind: 'page', title: consoleText('signIn.title'), body, formTargets }
}

export function signInProblemPage(problem: SignInProblem): ConsolePage {
  const body = html`<p>${consoleText(`signInProblems.${problem}`)}</p>
<p class="actions"><a class="button second" href="${SIGN_IN_PATH}">${consoleText('signIn.again')}</a></p>`
  return { kind: 'page', status: STATUS_BY_PROBLEM[problem], title: consoleText('signInProblems.title'), body }
}
