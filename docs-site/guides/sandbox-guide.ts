/** The guide to the sandbox: its banks and companies, its clock, and simulated events. */
import { html } from 'ghtml'
import sandbox from '../../data/sandbox-directory.json' with { type: 'json' }
import { code, type DocsSettings, type Guide } from './guide.ts'

const COUNTRIES: Readonly<Record<string, string>> = { NO: 'Norway', SE: 'Sweden', DK: 'Denmark', FI: 'Finland' }
const MOVE = `curl "$HAVN/api/sandbox/clock" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "advance": "P1D" }'`
const SIGN = `curl "$HAVN/api/sandbox/approvals/$APPROVAL_ID/sign" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{}'`

/** The sandbox chapter; shown only in sandbox mode. */
export function sandboxGuide({ sandboxBankUrl }: DocsSettings): Guide {
  const rows = sandbox.companies.map((company) => countryRow(company))
  const pages =
    sandboxBankUrl === null
      ? ''
      : html`<p>The <a href="${sandboxBankUrl}/">sandbox bank’s own pages</a> show every user, account and payment.</p>`
  return {
    id: 'sandbox',
    title: 'Sandbox',
    body: `<p>No real bank and no real money, but the same behaviour: the sandbox banks implement the same standard as production
banks, each in its own dialect. The demo partner acts for one company in each country, at every bank there. A <a href="#getBank">bank’s record</a>
has an example user in <code>userId.example</code>.</p>
<div class="table"><table>
<thead><tr><th scope="col">Country</th><th scope="col">Company</th><th scope="col">Banks</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>
${pages}
<p><strong>Time.</strong> Due dates, deadlines, settlement and expiry follow business time, which you can advance with
<a href="#moveSandboxClock">moveSandboxClock</a>; everything due in between happens in order. The response is 200 when the clock
has arrived, or 202 with <code>movingTo</code> after 5 seconds: then <a href="#getSandboxClock">getSandboxClock</a> shows
<code>movingTo</code> until the move has ended.</p>
${code(MOVE, 'shell')}
<p><strong>Without a browser.</strong> Your tests can simulate every decision of a user:
<a href="#decideSandboxApproval">sign, reject or leave</a> an approval, a <a href="#decideSandboxConsent">consent</a> or a
<a href="#decideSandboxCancellation">cancellation</a>, as the user you name. You can also simulate bank
events: on <a href="#stepSandboxPayment">a payment</a>, <a href="#endSandboxConsent">a consent</a>, <a href="#addSandboxEntry">an
account</a>, or <a href="#disturbSandboxBank">the whole bank</a>; and at the FX provider: <a
href="#disturbSandboxExchange">faults</a>, <a href="#stepSandboxPayout">outcomes of a payout</a>, and <a
href="#addSandboxArrival">inbound funds</a>.</p>
${code(SIGN, 'shell')}
<p><strong>Outcomes.</strong> Certain amounts make the sandbox bank reject, delay, hold or lose an order, so that you can
test every outcome of a payment, and certain users decide automatically: <a href="/docs/sandbox">all outcomes,
users and accounts</a>.</p>`,
  }
}

function countryRow({ countryCode, name, organisationNumber }: (typeof sandbox.companies)[number]): string {
  const banks = sandbox.banks
    .filter((bank) => bank.countryCode === countryCode)
    .map((bank) => html`<li>${bank.name} <code>${bank.bic}</code></li>`)
  return html`<tr><th scope="row">${COUNTRIES[countryCode] ?? countryCode}</th>
<td>${name}<br><code>${organisationNumber}</code></td><td><ul>!${banks.join('')}</ul></td></tr>`
}
