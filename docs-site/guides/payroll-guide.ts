/** The guide to payrolls: initiation, signing, status, cancellation and privacy. */
import type { Guide } from './guide.ts'

/** The payroll chapter. */
export function payrollGuide(): Guide {
  return {
    id: 'payrolls',
    title: 'Paying salaries',
    body: `<p>A payroll is up to ten thousand payments from one account on one bank day, in the currency of the country, initiated
by one request and signed once: <a href="#initiatePayroll">initiatePayroll</a>. Banks with the product <code>PAYROLL</code> accept
them; <code>maxPayrollSize</code> of a <a href="#getBank">bank’s record</a> is the maximum number of payments.</p>
<p><strong>Validation.</strong> Every payment is validated by the rules of single payments. The
<span class="status">422</span> lists the first 1 000 errors, at paths such as <code>.transactions[17].account.bban</code>; if there
are more, a last entry with the path <code>.</code> says how many. Responses never repeat a name, an account or an amount, so
that your logs disclose no salary.</p>
<p><strong>Signing.</strong> <a href="#approvePayrolls">approvePayrolls</a> takes one payroll or several together and returns a
URL for the user’s browser, whatever SCA approach the bank has. Some banks take the whole payroll as one order. At others the
payments are submitted one by one after your request has returned: the approval waits for that up to 20 seconds. If it takes longer, it returns
<span class="status">400</span> with <code>AUTHENTICATION_TEMPORARY_UNAVAILABLE</code> and <code>Retry-After</code>, reports the
progress, and you request it again. If the bank rejects one payment before the approval, none is paid:
the submitted ones are cancelled, and <a href="#readPayrollStatus">readPayrollStatus</a> shows which one was rejected.</p>
<p><strong>Status.</strong> <a href="#readPayrollStatus">readPayrollStatus</a> returns the status of each payment, and
<code>currentPayrollStatus</code> that of the payroll. Payments of a payroll send no webhook events and are not in the
list of payments. <a href="#listPayrolls">listPayrolls</a> shows whether an order whose response was lost went through; a
<code>payrollId</code> in a <span class="status">503</span> or <span class="status">409</span> is the payroll to read before you
order again. <a href="#cancelPayroll">cancelPayroll</a> cancels the payments that the bank still allows to be cancelled.</p>
<p><strong>Several payrolls at once</strong>, with one approval: <a href="#initiatePayrollBulk">initiatePayrollBulk</a>, at
banks with the product <code>PAYROLL_BULK</code>, for partners with the permission <code>payroll-bulk</code>.</p>
<p><strong>Permissions.</strong> Only clients with the permission for payrolls may initiate and read them; for all other clients
every payroll operation returns <span class="status">403</span>. Bodies may have 10 MB.</p>`,
  }
}
