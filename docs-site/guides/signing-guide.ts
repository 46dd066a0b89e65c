/** The guide to signing: every way in which a user may sign, by how many, and what may be taken back. */
import { code, type Guide, meanings } from './guide.ts'

const QR = {
  type: 'qr',
  image: 'iVBORw0KGgo…',
  code: 'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.1.949d559bf234…',
  kind: 'Dynamic',
  validUntil: '2026-11-23T09:05:11.000Z',
}

const ENDS = [
  ['STARTED', 'The user is on the way, or has not set out.'],
  ['ACCEPTED', 'This user’s signature was taken on all of them; some may need another one.'],
  ['REJECTED', 'The user, or the bank, refused.'],
  ['CANCELLED', 'The user left, the time passed, you abandoned it, or a payment is not what was shown any more.'],
] as const

const ABANDONED = [
  ['204', 'Nothing was signed. Approving again and cancelling work at once.'],
  ['409', 'Something was signed, and stays signed: the message names it. The rest is abandoned.'],
  ['503', 'The bank does not say whether it was signed. Nothing is abandoned; ask again in a moment.'],
] as const

/** What the operations on approvals and cancellations do not say by themselves. */
export function signingGuide(): Guide {
  return {
    id: 'signing',
    title: 'Signing and cancelling',
    body: `<p>An <em>approval</em> is one user signing one payment or many: <a href="#approvePayments">approvePayments</a>. Whoever
the <code>consent-id</code> belongs to signs; that need not be who registered the payments.</p>
<p><strong>One address, whatever the bank.</strong> Send the browser to <code>sca.url</code>. Behind it are as many signatures as the
bank wants: one for all, where it takes them together, or one after the other, with a page between that says what is done and
what is left. Where the user signs in an app, a page of ours says so and waits. A user who stops half-way leaves the signed ones
signed.</p>
<p><strong>QR codes in Sweden.</strong> With <code>preferredScaMethod: "Qr"</code> you show the code yourself, if the bank has one:</p>
${code(JSON.stringify(QR, null, 2), 'json')}
<p>A <code>Dynamic</code> code lives for a second: fetch <a href="#getPaymentApproval">getPaymentApproval</a> every second and show
what it answers. <code>Static</code> ones last for about half a minute. A code that nobody scans is renewed by itself, ten times at
most; until its successor is there, for two or three seconds, the last code stays in the answer. Elsewhere, or where the bank has none, the answer is a redirect all the same: look at <code>sca.type</code>.</p>
<p><strong>How it ended</strong> is what the bank confirmed, never what an address claims. Each payment has its own result:</p>
${meanings(ENDS)}
<p><strong>A closed tab.</strong> The same address opened again in the same browser leads on to the bank; until the approval has
ended, reading it answers <code>sca.url</code> again. While the user is at the bank, approving or cancelling the same payments is
refused with <code>AUTHENTICATION_TEMPORARY_UNAVAILABLE</code>. When the user does not come back, end the approval with
<a href="#abandonPaymentApproval">abandonPaymentApproval</a>, and a cancellation that waits for its signature with
<a href="#abandonPaymentCancellation">abandonPaymentCancellation</a>. The bank is asked first:</p>
${meanings(ABANDONED)}
<p>A user who is still at the bank may sign there after the <code>204</code>, until the bank ends that session. Then the browser
comes back with <code>status=success</code>, and the payment is <code>InProgress</code> although its approval is
<code>CANCELLED</code>: the status of the payment counts.</p>
<p><strong>Two signers.</strong> A payment that needs another signature becomes <code>CustomerActionRequired</code> with
<code>PartlySigned</code>. Approve it again with the consent of the second user; the bank refuses the same one twice.</p>
<p><strong>Cancelling.</strong> <a href="#cancelPayment">cancelPayment</a> withdraws what the bank has not begun to carry out. Some
banks want that signed: then the answer is <code>AUTHORIZATION_REQUIRED</code> with an address for the user’s browser, and
<a href="#getPaymentCancellation">getPaymentCancellation</a> tells what came of it. The status of the payment alone says that it is
cancelled.</p>`,
  }
}
