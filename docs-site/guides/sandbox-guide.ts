/** The guide to the sandbox: its banks and companies, its clock, and where its users and accounts are shown. */
import { html } from 'ghtml'
import sandbox from '../../data/sandbox-directory.json' with { type: 'json' }
import { code, type Guide, type Place } from './guide.ts'

const COUNTRIES: Readonly<Record<string, string>> = { NO: 'Norway', SE: 'Sweden', DK: 'Denmark', FI: 'Finland' }
const MOVE = `curl "$HAVN/api/sandbox/clock" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{ "advance": "P1D" }'`
const SIGN = `curl "$HAVN/api/sandbox/approvals/$APPROVAL_ID/sign" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{}'`

/** Said in sandbox mode only. */
export function sandboxGuide({ sandboxBankUrl }: Place): Guide {
  const rows = sandbox.companies.map((company) => countryRow(company))
  const pages =
    sandboxBankUrl === null
      ? ''
      : html`<p>The <a href="${sandboxBankUrl}/">sandbox bank’s own pages</a> show every user, account and payment.</p>`
  return {
    id: 'sandbox',
    title: 'The sandbox',
    body: `<p>Nothing here is real but the way it works: the sandbox’s banks speak the same standard as those of production, each in
its own dialect. The demo partner acts for one company in each country, at every bank there. A <a href="#getBank">bank’s record</a>
names a user whom it knows, in <code>userId.example</code>.</p>
<div class="table"><table>
<thead><tr><th scope="col">Country</th><th scope="col">Company</th><th scope="col">Banks</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>
${pages}
<p><strong>Time.</strong> Due dates, deadlines, settlement and expiry follow business time, which you can move ahead with
<a href="#moveSandboxClock">moveSandboxClock</a>; what falls due in between happens in order. The answer is 200 when time
has arrived, or 202 with <code>movingTo</code> after 5 seconds: then <a href="#getSandboxClock">getSandboxClock</a> shows
<code>movingTo</code> until the move has ended.</p>
${code(MOVE, 'shell')}
<p><strong>Without a browser.</strong> Your own tests can go every way that a user goes:
<a href="#decideSandboxApproval">sign, refuse or leave</a> an approval, a <a href="#decideSandboxConsent">consent</a> or a
<a href="#decideSandboxCancellation">cancellation</a>, as the user you name. What happens at a bank behind your back can be made to
happen, too: to <a href="#stepSandboxPayment">a payment</a>, <a href="#endSandboxConsent">a consent</a>, <a href="#addSandboxEntry">an
account</a>, or <a href="#disturbSandboxBank">the whole bank</a>. So it is with the company that changes money: <a
href="#disturbSandboxExchange">what goes wrong there</a>, <a href="#stepSandboxPayout">what becomes of a payout</a>, and <a
href="#addSandboxArrival">money that comes from elsewhere</a>.</p>
${code(SIGN, 'shell')}
<p><strong>Outcomes.</strong> Certain amounts make the sandbox bank refuse, delay, hold or lose what it is asked, so that you can
try every way in which a payment can end, and certain users decide by themselves: <a href="/docs/sandbox">all outcomes,
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
