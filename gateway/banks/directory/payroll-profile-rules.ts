/** Checks that the payroll settings of a bank's profile agree, so that every accepted payroll can be signed. */
import type { BankProfile } from './bank.ts'

/** How many SCA sessions may follow each other behind one link; users give up on longer sequences. */
export const CHAINED_SCA_SESSIONS_MAX = 10

/** Pairs of profile fields that must agree, and whether they do. */
export function payrollProfileConsistency(profile: BankProfile): Readonly<Record<string, boolean>> {
  const { baskets, constraints, payroll, products } = profile
  const { maxBulkSize, maxPayrollSize } = constraints
  const isBulk = payroll?.way === 'bulk'
  const signedBulksMax = payroll?.inBaskets === true ? (baskets?.max ?? 0) : CHAINED_SCA_SESSIONS_MAX
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

/** How many payments of a payroll can be signed in the bank's submission mode. */
function sizeMax({ baskets, payroll }: BankProfile): number {
  switch (payroll?.way) {
    case undefined:
      return 0
    case 'bulk':
    case 'file':
      return Number.POSITIVE_INFINITY
    case 'baskets':
      return CHAINED_SCA_SESSIONS_MAX * (baskets?.max ?? 0)
    case 'chain':
      return CHAINED_SCA_SESSIONS_MAX
  }
}
