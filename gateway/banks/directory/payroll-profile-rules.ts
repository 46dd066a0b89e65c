/** What must agree in a bank's profile on payrolls, so that every one that is taken can be handed over and signed. */
import type { BankProfile } from './bank.ts'

/** How many signings may follow each other behind one address: a user who is asked more often gives up. */
export const CHAINED_SIGNINGS_MAX = 10

/** Which members of a profile go together, and whether they do. */
export function payrollAgreements(profile: BankProfile): Readonly<Record<string, boolean>> {
  const { baskets, constraints, payroll, products } = profile
  const { maxBulkSize, maxPayrollSize } = constraints
  const isBulk = payroll?.way === 'bulk'
  const signedBulksMax = payroll?.inBaskets === true ? (baskets?.max ?? 0) : CHAINED_SIGNINGS_MAX
  return {
    '/products and /payroll': products.includes('PAYROLL') === (payroll !== null),
    '/constraints/maxPayrollSize and /payroll': (maxPayrollSize ?? 0) <= sizeMax(profile),
    '/constraints/maxPayrollSize and /products': (maxPayrollSize !== null) === products.includes('PAYROLL'),
    '/constraints/maxBulkSize and /products': (maxBulkSize !== null) === products.includes('PAYROLL_BULK'),
    '/constraints/maxBulkSize and /payroll': maxBulkSize === null || (isBulk && maxBulkSize <= signedBulksMax),
    '/payroll/batchBooking and /payroll/way': isBulk || payroll?.way === 'file' || payroll?.batchBooking !== true,
    '/payroll/inBaskets and /baskets': payroll?.inBaskets !== true || (isBulk && baskets !== null),
  }
}

/** How many payments of a payroll can be signed in the way of the bank. */
function sizeMax({ baskets, payroll }: BankProfile): number {
  switch (payroll?.way) {
    case undefined:
      return 0
    case 'bulk':
    case 'file':
      return Number.POSITIVE_INFINITY
    case 'baskets':
      return CHAINED_SIGNINGS_MAX * (baskets?.max ?? 0)
    case 'chain':
      return CHAINED_SIGNINGS_MAX
  }
}
