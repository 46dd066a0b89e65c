/** Checks that the settings of a bank's profile agree: what partners see is what the bank does. */
import type { BankProfile } from '../connector/bank-profile.ts'
import type { SettingRule } from '../connector/setting-errors.ts'

/** Fields that must agree, and what an operator has to do where they do not. */
type Consistency = {
  readonly fields: readonly [string, string]
  readonly agree: (profile: BankProfile) => boolean
  readonly advice: string
  /** What else `agree` reads. */
  readonly alsoReads?: readonly string[]
}

/** How many SCA sessions may follow each other behind one link; users give up on longer sequences. */
export const CHAINED_SCA_SESSIONS_MAX = 10

const CONSISTENCY: readonly Consistency[] = [
  {
    fields: ['/constraints/maxBasketSize', '/baskets/max'],
    agree: ({ constraints, baskets }) => constraints.maxBasketSize === (baskets?.max ?? null),
    advice: 'give both the same number, or set /constraints/maxBasketSize and /baskets to null',
  },
  {
    fields: ['/constraints/cancelSCARequired', '/cancellation'],
    agree: ({ constraints, cancellation }) => constraints.cancelSCARequired === (cancellation === 'after-signing'),
    advice: 'the first is true exactly where the second is "after-signing"',
  },
  {
    fields: ['/products', '/cancellation'],
    agree: ({ products, cancellation }) => products.includes('PAYMENT_CANCEL') === (cancellation !== 'none'),
    advice: 'list PAYMENT_CANCEL exactly where the cancellation is not "none"',
  },
  {
    fields: ['/products', '/crossBorder'],
    agree: ({ products, crossBorder }) => products.includes('PAYMENT_CROSS_BORDER') === (crossBorder !== undefined),
    advice: 'list PAYMENT_CROSS_BORDER exactly where there is /crossBorder',
  },
  {
    fields: ['/products', '/entries/details'],
    agree: ({ products, entries }) => products.includes('ACCOUNT_ENTRIES_EXTENDED') === entries.details,
    advice: 'list ACCOUNT_ENTRIES_EXTENDED exactly where the details are true',
  },
  {
    fields: ['/scaMethods', '/scaApproaches'],
    agree: ({ scaMethods, scaApproaches }) =>
      scaMethods.includes('Qr') === scaApproaches.includes('qr') && scaMethods.includes('Redirect'),
    advice: 'list Redirect always, and Qr exactly where the approaches have "qr"',
  },
  {
    fields: [
      '/constraints/maxUnstructuredRemittanceInfoLength',
      '/constraints/maxUnstructuredRemittanceInfoLengthToOtherBanks',
    ],
    agree: ({ constraints }) =>
      constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks <= constraints.maxUnstructuredRemittanceInfoLength,
    advice: 'the second may not be larger',
  },
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
      (payroll?.submissionMode === 'bulk' &&
        maxBulkSize <= (payroll.inBaskets ? (baskets?.max ?? 0) : CHAINED_SCA_SESSIONS_MAX)),
    advice: `several bulks need /payroll/submissionMode "bulk", and at most ${CHAINED_SCA_SESSIONS_MAX} or, in baskets, /baskets/max can be signed`,
    alsoReads: ['/baskets'],
  },
  {
    fields: ['/payroll/batchBooking', '/payroll/submissionMode'],
    agree: ({ payroll }) =>
      payroll === null || ['bulk', 'file'].includes(payroll.submissionMode) || !payroll.batchBooking,
    advice: 'only "bulk" and "file" can be booked in one sum',
  },
  {
    fields: ['/payroll/inBaskets', '/baskets'],
    agree: ({ payroll, baskets }) =>
      payroll?.inBaskets !== true || (payroll.submissionMode === 'bulk' && baskets !== null),
    advice: 'only bulks are signed in baskets, at a bank that has baskets',
  },
]

export const CONSISTENCY_RULES = CONSISTENCY.map(consistencyRule)

function consistencyRule({ fields, agree, advice, alsoReads = [] }: Consistency): SettingRule<BankProfile> {
  // A field of an object that may be null is sound where the object is.
  const read = fields.map((field) => (field.startsWith('/constraints') ? field : `/${field.split('/')[1]}`))
  return {
    reads: [...read, ...alsoReads],
    errors: (profile) => (agree(profile) ? [] : [`${fields.join(' and ')} contradict each other: ${advice}`]),
  }
}

/** How many payments of a payroll can be signed in the bank's submission mode. */
function sizeMax({ baskets, payroll }: BankProfile): number {
  switch (payroll?.submissionMode) {
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
