/** The guides of the API reference: first steps, authentication, consents, payment status, retries, errors and limits. */
import { html } from 'ghtml'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { FAILURE_MEANINGS, VALIDATION_MEANINGS } from '../../contract/errors/error-codes.ts'
import { meaningByStatus } from '../../contract/openapi/responses.ts'
import { PAYMENTS_PER_PAGE } from '../../contract/payments/payment-operations.ts'
import { exchangeGuide } from './exchange-guide.ts'
import { code, type DocsSettings, definitionList, type Guide } from './guide.ts'
import { onboardingGuide } from './onboarding-guide.ts'
import { payrollGuide } from './payroll-guide.ts'
import { sandboxGuide } from './sandbox-guide.ts'
import { signingGuide } from './signing-guide.ts'
import { webhookGuide } from './webhook-guide.ts'

/** All chapters in reading order. */
export function guidesOf(place: DocsSettings): readonly Guide[] {
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
    errors(),
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
<a href="#listBanks">listBanks</a>. A bank’s record describes its user ids and its limits.</li>
<li>Request access to the company’s accounts: <a href="#createConsent">createConsent</a>. Redirect their browser to the
URL in the response; it returns to your <code>callbackUrl</code>. The <code>id</code> of the consent is the
<code>consent-id</code> of the calls that follow.</li>
<li>Initiate a payment from one of the accounts: <a href="#listAccounts">listAccounts</a>,
<a href="#initiateDomesticPayment">initiateDomesticPayment</a>. The bank accepts it unsigned: no money moves yet.</li>
<li>Let the user sign: <a href="#approvePayments">approvePayments</a>, which also returns a URL for their browser.</li>
<li>Poll it until it is final: <a href="#getPaymentStatus">getPaymentStatus</a>, <a href="#listPayments">listPayments</a>.</li>
</ol>`,
  }
}

function authentication({ mode, baseUrl, authUrl, demo }: DocsSettings): Guide {
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
    body: html`<p>Your backend exchanges its client id and secret for an access token with the client credentials grant of OAuth
2.0, and sends it with every call as <code>Authorization: Bearer …</code>. A token is valid for an hour; use it until shortly
before it expires. Keep secret and token on your backend: neither belongs in a browser or an app.</p>
<p>The commands on this page read the base URL from <code>$HAVN</code> and the token from <code>$TOKEN</code>:</p>
!${code(command, 'shell')}
<p>The client in TypeScript, in <code>sdk/</code> of this release, requests tokens by itself:</p>
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
    body: `<p>A <em>consent</em> gives you access to one company’s accounts at one bank for a limited time. Calls on
behalf of a user send its id as <code>consent-id</code>. It ends when it expires, when the user or the bank ends it, or when you
<a href="#revokeConsent">revoke</a> it; then calls return <code>INVALID_CONSENT</code>.</p>
<p>When the user is present, send <code>PSU-IP-Address</code> and <code>PSU-User-Agent</code> of the current session,
never stored values: banks use them to assess the risk. Reading accounts without them counts as access without the user, which
banks allow four times a day.</p>
<p>Users sign at their bank. You receive a URL and redirect their browser there. It shows a page of ours that names the requester
and the purpose, then the bank, and returns to your <code>callbackUrl</code> with <code>status=success</code>,
<code>rejected</code> or <code>cancelled</code>. This is what the bank confirmed. Always read the consent or the
approval as well: the user may close the browser on the way.</p>`,
  }
}

const PAYMENT_STATUSES = [
  ['Unsigned', 'The bank has received the order; the user must approve it.'],
  ['CustomerActionRequired', 'The user must act; the reason says how: another signature, an SMS, more money.'],
  ['InProgress', 'Signed; the bank is processing it.'],
  ['Completed', 'The bank has completed it.'],
  ['Rejected', 'The bank has rejected it, or has returned it later.'],
  ['Cancelled', 'It was cancelled before the bank executed it.'],
] as const

function followingPayments(): Guide {
  return {
    id: 'following-payments',
    title: 'Following payments',
    body: `<p>The status is always the one that the bank reports.</p>
${definitionList(PAYMENT_STATUSES)}
<p><code>finalStatus</code> says whether the status is expected to remain. Read one payment with
<a href="#getPaymentStatus">getPaymentStatus</a>, which reads it at the bank when that is due, or list all changes with
<a href="#listPayments">listPayments</a> and <code>updatedSince</code>. A page holds ${PAYMENTS_PER_PAGE.default} payments by
default and at most ${PAYMENTS_PER_PAGE.max}; send <code>nextCursor</code> as <code>cursor</code>, with the same filters, until it
is null.</p>`,
  }
}

function safeRetries(): Guide {
  return {
    id: 'safe-retries',
    title: 'Safe retries',
    body: `<p>Banks cannot distinguish a repeated order from a second one. Send a unique <code>Idempotency-Key</code>, up to 255
characters, with every order. The same key with the same body and consent returns the stored response, byte for byte,
and <code>Idempotent-Replayed: true</code>, for 30 days. With another body it returns <span class="status">422</span>;
while the first request is in progress, <span class="status">409</span>.</p>
<p><strong>Unknown outcome.</strong> If the request was sent to the bank but its answer was lost, the call returns
<span class="status">503</span> with a <code>paymentId</code>. Do not order again: the bank may have the order. The payment shows
<code>outcomeUnknown: true</code> until the bank or an operator has established the outcome; ordering the same again
returns <span class="status">409</span> and the same <code>paymentId</code>. For a payroll, both return the <code>payrollId</code>. A
<span class="status">503</span> without either means that the bank, or another part of the service, cannot be reached: nothing
was ordered, signed or cancelled, and you may send the request again.</p>
<p>Without a key, a second order with the same <code>endToEndId</code>, amount and receiver within 24 hours is accepted
with the warning <code>PossibleDuplicate</code>.</p>`,
  }
}

const ENVELOPE = {
  failure: 'ACCESS_DENIED',
  svcRequestId: '01a207a3-1ce0-7371-9c17-149d439536b3',
  message: 'The user may not pay from this account',
}
const VALIDATION_ERRORS = [
  { code: 'InvalidAccountNumber', reason: 'has a wrong check digit (modulus 11)', path: '.to.account.bban' },
  { code: 'InvalidDueDate', reason: 'is in the past', path: '.dueDate' },
]

function errors(): Guide {
  const statuses = Object.entries(meaningByStatus)
  return {
    id: 'errors',
    title: 'Errors',
    body: `<p>A failed request returns one of two bodies. Programs must use the status and the code;
<code>message</code> and <code>reason</code> are for humans, and their wording may change. Every response has the header
<code>svc-request-id</code>: quote it to support.</p>
<p><strong>An error object</strong>, with <code>failure</code> where a code says more than the status:</p>
${code(JSON.stringify(ENVELOPE, null, 2), 'json')}
<p><strong>A list of validation errors</strong>, with status <span class="status">422</span>: all errors of the request
at once, in the order of the body.</p>
${code(JSON.stringify(VALIDATION_ERRORS, null, 2), 'json')}
<h3>By status</h3>
${definitionList(statuses)}
<h3>By failure code, status 400</h3>
${definitionList(Object.entries(FAILURE_MEANINGS))}
<h3>By validation code, status 422</h3>
${definitionList(Object.entries(VALIDATION_MEANINGS))}`,
  }
}

function conventions({ tokenRequestsPerMinute, requestsPerSecond }: DocsSettings): Guide {
  return {
    id: 'conventions',
    title: 'Conventions and limits',
    body: `<ul>
<li>Bodies are JSON in UTF-8, at most 256 kB (payrolls 10 MB); only the token request is a form. Unknown fields are ignored.</li>
<li>Ids are UUIDs. Times have an offset; dates are <code>YYYY-MM-DD</code>. Amounts are decimal strings, never numbers.</li>
<li>Ignore unknown fields and codes: new ones may be added.</li>
<li>A client may make ${requestsPerSecond} calls a second and request ${tokenRequestsPerMinute} tokens a minute; an approval may be
read twice a second, and an IP address may send ${tokenRequestsPerMinute * 10} requests a minute without a valid token. More requests return <span class="status">429</span> with <code>Retry-After</code> and
<code>RateLimit-*</code> headers.</li>
</ul>`,
  }
}
