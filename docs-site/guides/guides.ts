/** The guides in front of the operations: how to begin, to authenticate, to let users sign, and to read what goes wrong. */
import { html } from 'ghtml'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { FAILURE_MEANINGS, VALIDATION_MEANINGS } from '../../contract/errors/error-codes.ts'
import { meaningByStatus } from '../../contract/openapi/responses.ts'
import { PAYMENTS_PER_PAGE } from '../../contract/payments/payment-operations.ts'
import { exchangeGuide } from '../../gateway/reference/exchange-guide.ts'
import { payrollGuide } from '../../gateway/reference/payroll-guide.ts'
import { code, type Guide, meanings, type Place } from './guide.ts'
import { onboardingGuide } from './onboarding-guide.ts'
import { sandboxGuide } from './sandbox-guide.ts'
import { signingGuide } from './signing-guide.ts'
import { webhookGuide } from './webhook-guide.ts'

/** Every chapter in the order in which a newcomer reads them. */
export function guidesOf(place: Place): readonly Guide[] {
  return [
    firstSteps(),
    authentication(place),
    onboardingGuide(place),
    consentsAndUsers(),
    signingGuide(),
    followingPayments(),
    payrollGuide(),
    exchangeGuide(place),
    webhookGuide(),
    safeRetries(),
    refusals(),
    conventions(place),
    ...(place.mode === 'sandbox' ? [sandboxGuide(place)] : []),
  ]
}

function firstSteps(): Guide {
  return {
    id: 'first-steps',
    title: 'First steps',
    body: `<ol>
<li>Get an access token: <a href="#issueToken">issueToken</a>.</li>
<li>See which companies you act for, and which banks there are: <a href="#listCompanies">listCompanies</a>,
<a href="#listBanks">listBanks</a>. A bank’s record says how its users are known there, and what it limits.</li>
<li>Ask the user for access to the company’s accounts: <a href="#createConsent">createConsent</a>. Send their browser to the
address in the answer; it comes back to your <code>callbackUrl</code>. The <code>id</code> of the consent is the
<code>consent-id</code> of the calls that follow.</li>
<li>Order a payment from one of the accounts: <a href="#listAccounts">listAccounts</a>,
<a href="#initiateDomesticPayment">initiateDomesticPayment</a>. The bank takes it, unsigned: no money moves yet.</li>
<li>Let the user sign: <a href="#approvePayments">approvePayments</a>, again by an address for their browser.</li>
<li>Follow it until it is final: <a href="#getPaymentStatus">getPaymentStatus</a>, <a href="#listPayments">listPayments</a>.</li>
</ol>`,
  }
}

function authentication({ mode, baseUrl, authUrl, demo }: Place): Guide {
  const [id, secret] = demo ? ['demo-partner', 'demo-partner-secret'] : ['$CLIENT_ID', '$CLIENT_SECRET']
  const command = `HAVN=${baseUrl}
TOKEN=$(curl -s ${authUrl}/v2/connect/token \\
  -d grant_type=client_credentials \\
  -d "client_id=${id}" -d "client_secret=${secret}" \\
  -d scope=${scopesByEnvironment[mode]} \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  const client = `const havn = createHavnClient({
  baseUrl: '${baseUrl}',${authUrl === baseUrl ? '' : `\n  authUrl: '${authUrl}',`}
  clientId: '${id}',
  clientSecret: '${secret}',
  environment: '${mode}',
})`
  return {
    id: 'authentication',
    title: 'Authentication',
    body: html`<p>Your backend exchanges its client id and secret for an access token, by the client credentials grant of OAuth
2.0, and sends it with every call as <code>Authorization: Bearer …</code>. A token is valid for an hour; use it until shortly
before it expires. Keep secret and token on your backend: neither belongs in a browser or an app.</p>
<p>The commands of this page find the address in <code>$HAVN</code> and the token in <code>$TOKEN</code>:</p>
!${code(command, 'shell')}
<p>The client in TypeScript, in <code>sdk/</code> of this release, looks after tokens by itself:</p>
!${code(client, 'typescript')}
<p>Tokens of the sandbox are not valid in production, and vice versa. Any missing or invalid token returns
<span class="status">401</span>; the message, and the header <code>WWW-Authenticate</code> (RFC 6750), say what is wrong with it.
Request a new token once, and repeat the call. The token endpoint itself returns <code>error</code> and
<code>error_description</code> (RFC 6749), for example <code>invalid_client</code> with <span class="status">401</span>.</p>`,
  }
}

function consentsAndUsers(): Guide {
  return {
    id: 'consents-and-users',
    title: 'Consents and users',
    body: `<p>A <em>consent</em> is what a user gave you: access to one company’s accounts at one bank, for so long. Calls that
act for a user carry it as <code>consent-id</code>. It ends when it expires, when the user or the bank ends it, or when you
<a href="#revokeConsent">revoke</a> it; then <code>INVALID_CONSENT</code> says so.</p>
<p>Where a user acts, send <code>PSU-IP-Address</code> and <code>PSU-User-Agent</code> of the session that is going on now,
never stored ones: banks judge the risk by them. Reading accounts without them counts as reading without the user, which banks
allow four times a day.</p>
<p>Users sign at their bank. You get an address, and send their browser there; it passes a page of ours that shows who asks
and for what, then the bank, and comes back to your <code>callbackUrl</code> with <code>status=success</code>,
<code>rejected</code> or <code>cancelled</code>. That is what the bank confirmed. Read the consent or the approval all the
same: a browser can be closed on the way.</p>`,
  }
}

const PAYMENT_STATUSES = [
  ['Unsigned', 'The bank holds the order, and the user must approve it.'],
  [
    'CustomerActionRequired',
    'The user must do something; the reason says what: another signature, an SMS, more money.',
  ],
  ['InProgress', 'Signed; the bank works on it.'],
  ['Completed', 'The bank has completed it.'],
  ['Rejected', 'The bank has refused it, or has returned it later.'],
  ['Cancelled', 'It was cancelled before the bank carried it out.'],
] as const

function followingPayments(): Guide {
  return {
    id: 'following-payments',
    title: 'Following payments',
    body: `<p>The bank owns the status: what it says is recorded, and nothing is guessed.</p>
${meanings(PAYMENT_STATUSES)}
<p><code>finalStatus</code> says whether a status is expected to stay. Ask for one payment with
<a href="#getPaymentStatus">getPaymentStatus</a>, which reads at the bank when that is due, or for everything that changed with
<a href="#listPayments">listPayments</a> and <code>updatedSince</code>. A page holds ${PAYMENTS_PER_PAGE.default} payments unless
you ask for up to ${PAYMENTS_PER_PAGE.max}; send <code>nextCursor</code> as <code>cursor</code>, with the same filters, until it
is null.</p>`,
  }
}

function safeRetries(): Guide {
  return {
    id: 'safe-retries',
    title: 'Safe retries',
    body: `<p>Banks cannot tell a repeated order from a second one. So send an <code>Idempotency-Key</code> of your own, up to 255
characters, with every order. The same key with the same body and consent is answered with the stored answer, byte for byte,
and <code>Idempotent-Replayed: true</code>, for 30 days. With another body it is refused with <span class="status">422</span>;
while the first request still runs, with <span class="status">409</span>.</p>
<p><strong>When nobody knows.</strong> If the bank was asked and its answer was lost, the call answers
<span class="status">503</span> with a <code>paymentId</code>. Do not order again: the bank may hold the order. The payment shows
<code>outcomeUnknown: true</code> until the bank, or a person, has told what became of it; ordering the same again is refused
with <span class="status">409</span> and the same <code>paymentId</code>. Of a payroll, both name the <code>payrollId</code>. A
<span class="status">503</span> that names neither means that the bank, or another part of the service, cannot be reached: nothing
was ordered, signed or cancelled, and the request may be sent again.</p>
<p>Without a key, a second order with the same <code>endToEndId</code>, amount and receiver within 24 hours is taken, and
answered with the warning <code>PossibleDuplicate</code>.</p>`,
  }
}

const ENVELOPE = {
  failure: 'ACCESS_DENIED',
  svcRequestId: '01a207a3-1ce0-7371-9c17-149d439536b3',
  message: 'The user may not pay from this account',
}
const PROBLEMS = [
  { code: 'InvalidAccountNumber', reason: 'has a wrong check digit (modulus 11)', path: '.to.account.bban' },
  { code: 'InvalidDueDate', reason: 'lies in the past', path: '.dueDate' },
]

function refusals(): Guide {
  const statuses = Object.entries(meaningByStatus)
  return {
    id: 'refusals',
    title: 'Refusals',
    body: `<p>A request that cannot be served is answered with one of two bodies. Programs decide by the status and the code;
<code>message</code> and <code>reason</code> are for people, and may be worded better tomorrow. Every answer carries
<code>svc-request-id</code>: quote it to support.</p>
<p><strong>An envelope</strong>, with <code>failure</code> where a code says more than the status:</p>
${code(JSON.stringify(ENVELOPE, null, 2), 'json')}
<p><strong>A list of problems</strong>, with status <span class="status">422</span>: everything that is wrong with the request at
once, in the order of the body.</p>
${code(JSON.stringify(PROBLEMS, null, 2), 'json')}
<h3>By status</h3>
${meanings(statuses)}
<h3>By failure, with status 400</h3>
${meanings(Object.entries(FAILURE_MEANINGS))}
<h3>By problem, with status 422</h3>
${meanings(Object.entries(VALIDATION_MEANINGS))}`,
  }
}

function conventions({ tokenRequestsPerMinute, requestsPerSecond }: Place): Guide {
  return {
    id: 'conventions',
    title: 'Conventions and limits',
    body: `<ul>
<li>Bodies are JSON in UTF-8, of 256 kB at most, of payrolls 10 MB; the token’s alone is a form. Members that are not known here are ignored.</li>
<li>Ids are UUIDs. Times carry their offset; days are <code>YYYY-MM-DD</code>. Amounts are decimal texts, never numbers.</li>
<li>New members may appear in answers, and new codes in lists of codes: let your program pass them by.</li>
<li>A client may make ${requestsPerSecond} calls a second and ask for ${tokenRequestsPerMinute} tokens a minute; an approval may be
read twice a second, and an address may send ${tokenRequestsPerMinute * 10} requests a minute without a valid token. More is answered with <span class="status">429</span>, with <code>Retry-After</code> and
<code>RateLimit-*</code> headers.</li>
</ul>`,
  }
}
