/** Renders the sign-in page of the sandbox, and the page that sends an interrupted form again. */
import { html } from 'ghtml'
import { type ConsoleRole, isOfPartner } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { findDemoPartner } from '../../gateway/simulation/demo-fixture.ts'
import type { ConsoleUser } from '../access/console-session.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { hiddenFields } from '../markup/action-form.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The path of the page and its form. */
export const SIGN_IN_PATH = '/console/sign-in'

/** A form that was sent after its session had ended: its path, and its fields without the token. */
export type InterruptedForm = { readonly path: string; readonly fields: URLSearchParams }

/** Where the browser goes after signing in. */
export type SignInTarget = { readonly next: string; readonly interrupted: InterruptedForm | undefined }

export function signInPage(users: readonly SandboxUser[], token: string, target: SignInTarget): ConsolePage {
  const groups = Map.groupBy(users, ({ partnerName }) => partnerName)
  const sections = [...groups].map(([partnerName, group]) => {
    const heading =
      partnerName === null ? consoleText('signIn.operators') : consoleText('signIn.usersOf', { partner: partnerName })
    return html`<h2>${heading}</h2><div class="choices">!${group.map(userButton).join('')}</div>`
  })
  const body = html`!${interruptedNotice(target)}
<p>${consoleText('signIn.choose')}</p>
<form method="post" action="${SIGN_IN_PATH}">
!${tokenField(token)}
!${targetFields(target)}
!${sections.join('')}
</form>
!${groups.size > 1 ? '' : html`<p class="quiet">${consoleText('signIn.noPartner')}</p>`}
<p><a href="${SIGN_IN_PATH}/passkey">${consoleText('signIn.passkey')}</a></p>`
  return { kind: 'page', title: consoleText('signIn.title'), body }
}

/** Says that a form was interrupted, where one was. */
export function interruptedNotice({ interrupted }: SignInTarget): string {
  return interrupted === undefined ? '' : html`<p class="notice" role="alert">${consoleText('signIn.resumed')}</p>`
}

/** The hidden fields by which a sign-in form carries its target. */
export function targetFields({ next, interrupted }: SignInTarget): string {
  const fields = { next, resumePath: interrupted?.path ?? '', resumeFields: interrupted?.fields.toString() ?? '' }
  return hiddenFields(Object.entries(fields))
}

/** Sends the form again, with the token of the new session. */
export function resumePage({ path, fields }: InterruptedForm, token: string, next: string): ConsolePage {
  const body = html`<p>${consoleText('signIn.resume')}</p>
<form class="actions" method="post" action="${path}">
!${tokenField(token)}
!${hiddenFields([...fields])}
<button>${consoleText('signIn.send')}</button>
<a class="button second" href="${next}">${consoleText('signIn.doNotSend')}</a>
</form>`
  return { kind: 'page', title: consoleText('signIn.resumeTitle'), body }
}

function userButton({ role, name }: SandboxUser): string {
  return html`<button name="user" value="${role}">${name}<span>${consoleText(`roles.${role}`)}</span></button>`
}

const NAMES: Readonly<Record<ConsoleRole, string>> = {
  'operator-administrator': 'Astrid Lie',
  operator: 'Bjørn Moe',
  'operator-reader': 'Cecilie Ruud',
  'partner-developer': 'Daniel Vik',
  'partner-finance': 'Eva Sund',
  'partner-payroll': 'Fredrik Hagen',
}
/** In the order of the sign-in page. */
const ROLES = Object.keys(NAMES) as readonly ConsoleRole[]

/** A user who can be chosen. */
type SandboxUser = ConsoleUser & { readonly role: ConsoleRole; readonly partnerName: string | null }

/** The operators, and the users of the demo partner where there is one. */
export async function listSandboxUsers(context: Context): Promise<readonly SandboxUser[]> {
  const partner = await findDemoPartner(context)
  const roles = ROLES.filter((role) => !isOfPartner(role) || partner !== undefined)
  return roles.map((role) => ({
    role,
    subject: `sandbox ${role}`,
    name: NAMES[role],
    roles: [role],
    partnerId: isOfPartner(role) ? (partner?.id ?? null) : null,
    partnerName: isOfPartner(role) ? (partner?.name ?? null) : null,
  }))
}
