/** The page on which a user logs in and grants a third party access. */
import { html } from 'ghtml'
import type { BankContext } from '../bank-context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { isCustomer } from '../fixture-lookup.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { scriptedUser } from '../outcomes/scripted-user-lookup.ts'
import { page } from '../pages/layout.ts'
import type { GrantRequest } from './grant-request.ts'
import { parseScope, type Service } from './scope.ts'

const serviceTexts: Readonly<Record<Service, string>> = {
  AIS: 'request access to your accounts',
  PIS: 'submit payments, each of which you sign',
}

/** `validationError` is the error of the previous submission. */
export function loginPage(
  context: BankContext,
  bank: BankProfile,
  request: GrantRequest,
  validationError: string | null,
): string {
  const { login_hint: hint } = request
  const choices = possibleUsers(context, bank, hint).map(
    (
      user,
      index,
    ) => html`<label class="choice"><input type="radio" name="userId" value="${user.id}" ${index === 0 ? 'checked' : ''}>
<span><strong>${user.name}</strong><span class="quiet">${user.id}${user.id === hint ? ' – expected by the app' : ''}</span></span></label>`,
  )
  const scope = parseScope(bank, request.scope)
  const services = scope?.type === 'services' ? scope.services : []
  const content = html`<h1>Log in with ${rulesOf(bank).words.login}</h1>
<p>The app <strong class="code">${request.client_id}</strong> requests access at ${bank.name}. In the sandbox you select the user.</p>
!${validationError === null ? '' : html`<p class="note stop" role="alert">${validationError}</p>`}
<div class="card"><p>It will be able to:</p><ul class="list">!${services.map((service) => html`<li>${serviceTexts[service]}</li>`).join('')}</ul></div>
<form method="post" class="card">
<fieldset><legend>Who are you?</legend>
!${choices.join('')}
</fieldset>
<div class="buttons"><button class="main" name="decision" value="approve">Log in and give access</button>
<button class="stop" name="decision" value="reject">Decline</button></div>
</form>`
  return page({ title: 'Log in', bankName: bank.name, content })
}

/** The bank's users, with the one of `login_hint` first; scripted users only when they are given there. */
function possibleUsers({ fixture }: BankContext, { bic }: BankProfile, named: string | null): readonly User[] {
  return fixture.users
    .filter(({ id }) => isCustomer(fixture, bic, id) && (id === named || scriptedUser(id) === undefined))
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}
