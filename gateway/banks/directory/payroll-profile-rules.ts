/** Checks that the payroll settings of a bank's profile agree, so that every accepted payroll can be signed. */
import type { BankProfile } from './bank.ts'
import type { Consistency } from './profile-consistency.ts'

/** How many SCA sessions may follow each other behind one link; users give up on longer sequences. */
export const CHAINED_SCA_SESSIONS_MAX = 10

export const PAYROLL_CONSISTENCY: readonly Consistency[] = [
  {
    fields: ['/products', '/payroll'],
    agree: ({ products, payroll }) => products.includes('PAYROLL') === (payroll !== null),
    advice: 'list PAYROLL exactly where /payroll is not null',
  },
  {
    fields: ['/constraints/maxPayrollSize', '/payroll'],
    agree: (profile) => (profile.constraints.maxPayrollSize ?? 0) <= sizeMax(profile),
    advice: `lower the first: of "chain" ${CHAINED_SCA_SESSIONS_MAX} can be signed, of "baskets" ${CHAINED_SCA_SESSIONS_MAX} times /baskets/max`,
    alsoReads: ['/baskets'],
  },
  {
    fields: ['/constraints/maxPayrollSize', '/products'],
    agree: ({ constraints, products }) => (constraints.maxPayrollSize !== null) === products.includes('PAYROLL'),
    advice: 'set the first exactly where PAYROLL is listed',
  },
  {
    fields: ['/constraints/maxBulkSize', '/products'],
    agree: ({ constraints, products }) => (constraints.maxBulkSize !== null) === products.includes('PAYROLL_BULK'),
    advice: 'set the first exactly where PAYROLL_BULK is listed',
  },
  {
    fields: ['/constraints/maxBulkSize', '/payroll'],
    agree: ({ constraints: { maxBulkSize }, payroll, baskets }) =>
      maxBulkSize === null ||
      (payroll?.way === 'bulk' && maxBulkSize <= (payroll.inBaskets ? (baskets?.max ?? 0) : CHAINED_SCA_SESSIONS_MAX)),
    advice: `several bulks need the way "bulk", and at most ${CHAINED_SCA_SESSIONS_MAX} or, in baskets, /baskets/max can be signed`,
    alsoReads: ['/baskets'],
  },
  {
    fields: ['/payroll/batchBooking', '/payroll/way'],
    agree: ({ payroll }) => payroll === null || ['bulk', 'file'].includes(payroll.way) || !payroll.batchBooking,
    advice: 'only "bulk" and "file" can be booked in one sum',
  },
  {
    fields: ['/payroll/inBaskets', '/baskets'],
    agree: ({ payroll, baskets }) => payroll?.inBaskets !== true || (payroll.way === 'bulk' && baskets !== null),
    advice: 'only bulks are signed in baskets, at a bank that has baskets',
  },
]

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
