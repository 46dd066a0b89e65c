/** The guide to payrolls: how one is ordered, signed, followed and cancelled, and what keeps salaries private. */
import type { Guide } from '../../docs-site/guides/guide.ts'

/** What the operations on payrolls do not say by themselves. */
export function payrollGuide(): Guide {
  return {
    id: 'payrolls',
    title: 'Paying salaries',
    body: `<p>A payroll is up to ten thousand payouts from one account on one bank day, in the currency of the country, ordered by
one request and signed once: <a href="#initiatePayroll">initiatePayroll</a>. Banks with the product <code>PAYROLL</code> take
them; <code>maxPayrollSize</code> of a <a href="#getBank">bank’s record</a> says how many payouts.</p>
<p><strong>Before it is taken</strong>, every payout is checked by the rules of single payments. The
<span class="status">422</span> lists the first 1 000 problems, at paths as <code>.transactions[17].account.bban</code>; where there
are more, a last one with the path <code>.</code> says how many there are. No answer repeats a name, an account or an amount, so
that what you log of it gives no salary away.</p>
<p><strong>Signing.</strong> <a href="#approvePayrolls">approvePayrolls</a> takes one payroll or several together, and answers an
address for the user’s browser, whatever way of signing the bank has. Some banks take all payouts as one order. To others they are
told one by one after your request was answered: the approval waits for that, up to 20 seconds. Where it takes longer, it answers
<span class="status">400</span> with <code>AUTHENTICATION_TEMPORARY_UNAVAILABLE</code> and <code>Retry-After</code>, says how far it
is, and is to be asked for again. If the bank refuses one of them by then, none is paid:
what it holds is withdrawn, and <a href="#readPayrollStatus">readPayrollStatus</a> tells which it was.</p>
<p><strong>Outcomes.</strong> <a href="#readPayrollStatus">readPayrollStatus</a> tells what became of each payout, and
<code>currentPayrollStatus</code> what became of the whole. Payouts are no payments of yours: they make no events, and are not in the
list of payments. <a href="#listPayrolls">listPayrolls</a> answers whether an order went through whose answer was lost; a
<code>payrollId</code> in a <span class="status">503</span> or <span class="status">409</span> is the payroll to read before you
order again. <a href="#cancelPayroll">cancelPayroll</a> withdraws what its bank lets go of.</p>
<p><strong>Several payrolls at once</strong>, and their signing with them: <a href="#initiatePayrollBulk">initiatePayrollBulk</a>, at
banks with the product <code>PAYROLL_BULK</code>, for partners that have agreed on it with whoever runs this gateway.</p>
<p><strong>Who may.</strong> Of your credentials, only those with the permission for payrolls order and read them; to all others
every operation on payrolls is a <span class="status">403</span>. Bodies may have 10 MB.</p>`,
  }
}
