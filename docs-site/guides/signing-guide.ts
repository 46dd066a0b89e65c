/** The guide to signing: SCA approaches, outcomes, abandoned approvals, several signers and cancellations. */
import { code, definitionList, type Guide } from './guide.ts'

const QR = {
  type: 'qr',
  image: 'iVBORw0KGgo…',
  code: 'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.1.949d559bf234…',
  kind: 'Dynamic',
  validUntil: '2026-11-23T09:05:11.000Z',
}

const ENDS = [
  ['STARTED', 'The user has not finished, or has not started.'],
  ['ACCEPTED', 'The user has signed all payments; some may need another signer.'],
  ['REJECTED', 'The user or the bank rejected it.'],
  ['CANCELLED', 'The user left, it expired, you abandoned it, or a payment has changed since it was shown.'],
] as const

const ABANDONED = [
  ['204', 'Nothing was signed. Approving again and cancelling work at once.'],
  ['409', 'Some payments were signed and remain signed: the message names them. The rest is abandoned.'],
  ['503', 'The bank does not say whether it was signed. Nothing is abandoned; try again later.'],
] as const

/** The chapter on approvals and cancellations. */
export function signingGuide(): Guide {
  return {
    id: 'signing',
    title: 'Signing and cancelling',
    body: `<p>An <em>approval</em> is one user signing one or more payments: <a href="#approvePayments">approvePayments</a>. The user
of the <code>consent-id</code> signs; another user may have initiated the payments.</p>
<p><strong>One URL for every bank.</strong> Redirect the browser to <code>sca.url</code>. It leads through all signatures that
the bank requires: one for all payments, or one after the other, with a page between them that shows the progress. If the user
signs in an app, a hosted page says so and waits. If the user stops half-way, the signed payments remain
signed.</p>
<p><strong>QR codes in Sweden.</strong> With <code>preferredScaMethod: "Qr"</code> you show the QR code yourself, if the bank has one:</p>
${code(JSON.stringify(QR, null, 2), 'json')}
<p>A <code>Dynamic</code> code is valid for a second: call <a href="#getPaymentApproval">getPaymentApproval</a> every second and show
the returned code. <code>Static</code> codes are valid for about half a minute. A code that is not scanned is renewed automatically, at most
ten times; until the next one is available, two or three seconds, the response has the last code. In other countries, or if the bank has no QR codes, the response is a redirect: check <code>sca.type</code>.</p>
<p><strong>The outcome</strong> is what the bank confirmed, never a query parameter. Each payment has its own result:</p>
${definitionList(ENDS)}
<p><strong>A closed tab.</strong> The same URL opened again in the same browser continues at the bank; until the approval has
ended, reading it returns <code>sca.url</code> again. While the user is at the bank, approving or cancelling the same payments
returns <code>AUTHENTICATION_TEMPORARY_UNAVAILABLE</code>. If the user does not come back, end the approval with
<a href="#abandonPaymentApproval">abandonPaymentApproval</a>, and a cancellation that waits for its signature with
<a href="#abandonPaymentCancellation">abandonPaymentCancellation</a>. The status is first read at the bank:</p>
${definitionList(ABANDONED)}
<p>A user who is still at the bank may sign there after the <code>204</code>, until the bank ends that session. Then the browser
returns with <code>status=success</code>, and the payment is <code>InProgress</code> although its approval is
<code>CANCELLED</code>: the status of the payment counts.</p>
<p><strong>Two signers.</strong> A payment that needs another signature becomes <code>CustomerActionRequired</code> with
<code>PartlySigned</code>. Approve it again with the consent of the second user; the bank rejects the same user twice.</p>
<p><strong>Cancelling.</strong> <a href="#cancelPayment">cancelPayment</a> cancels a payment that the bank has not begun to execute. Some
banks require a signature: then the response is <code>AUTHORIZATION_REQUIRED</code> with a URL for the user’s browser, and
<a href="#getPaymentCancellation">getPaymentCancellation</a> returns the result. Only the payment’s status confirms that it is
cancelled.</p>`,
  }
}
