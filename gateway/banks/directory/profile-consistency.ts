/** Checks that the settings of a bank's profile agree: what partners see is what the bank does. */
import type { BankProduct, BankProfile } from '../connector/bank-profile.ts'
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
    agree: listedWith('PAYMENT_CANCEL', ({ cancellation }) => cancellation !== 'none'),
    advice: 'list PAYMENT_CANCEL exactly where the cancellation is not "none"',
  },
  {
    fields: ['/products', '/crossBorder'],
    agree: listedWith('PAYMENT_CROSS_BORDER', ({ crossBorder }) => crossBorder),
    advice: 'list PAYMENT_CROSS_BORDER exactly where there is /crossBorder',
  },
  {
    fields: ['/products', '/entries/details'],
    agree: listedWith('ACCOUNT_ENTRIES_EXTENDED', ({ entries }) => entries.details),
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
    agree: listedWith('PAYROLL', ({ payroll }) => payroll),
    advice: 'list PAYROLL exactly where /payroll is not null',
  },
  {
    fields: ['/constraints/maxPayrollSize', '/payroll'],
    agree: (profile) => (profile.constraints.maxPayrollSize ?? 0) <= payrollMaxOf(profile),
    advice: `lower the first: of "chain" ${CHAINED_SCA_SESSIONS_MAX} can be signed, of "baskets" ${CHAINED_SCA_SESSIONS_MAX} times /baskets/max`,
    alsoReads: ['/baskets'],
  },
  {
    fields: ['/constraints/maxPayrollSize', '/products'],
    agree: listedWith('PAYROLL', ({ constraints }) => constraints.maxPayrollSize),
    advice: 'set the first exactly where PAYROLL is listed',
  },
  {
    fields: ['/constraints/maxBulkSize', '/products'],
    agree: listedWith('PAYROLL_BULK', ({ constraints }) => constraints.maxBulkSize),
    advice: 'set the first exactly where PAYROLL_BULK is listed',
  },
  {
    fields: ['/constraints/maxBulkSize', '/payroll'],
    agree: (profile) => (profile.constraints.maxBulkSize ?? 0) <= bulkMaxOf(profile),
    advice: `several bulks need /payroll/submissionMode "bulk", and at most ${CHAINED_SCA_SESSIONS_MAX} or, in baskets, /baskets/max can be signed`,
    alsoReads: ['/baskets'],
  },
  {
    fields: ['/payroll/batchBooking', '/payroll/submissionMode'],
    agree: ({ payroll }) =>
      payroll?.batchBooking !== true || payroll.submissionMode === 'bulk' || payroll.submissionMode === 'file',
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

/** Whether a product is listed exactly where its setting has a value other than null or false. */
function listedWith(product: BankProduct, settingOf: (profile: BankProfile) => unknown): Consistency['agree'] {
  return (profile) => profile.products.includes(product) === Boolean(settingOf(profile))
}

/** How many payments one payroll may have. */
function payrollMaxOf({ payroll, baskets }: BankProfile): number {
  switch (payroll?.submissionMode) {
    case 'bulk':
    case 'file':
      return Number.POSITIVE_INFINITY
    case 'baskets':
      return CHAINED_SCA_SESSIONS_MAX * (baskets?.max ?? 0)
    case 'chain':
      return CHAINED_SCA_SESSIONS_MAX
    default:
      return 0
  }
}

/** How many payrolls one request may have. */
function bulkMaxOf({ payroll, baskets }: BankProfile): number {
  const inOneSca = payroll?.inBaskets ? (baskets?.max ?? 0) : CHAINED_SCA_SESSIONS_MAX
  return payroll?.submissionMode === 'bulk' ? inOneSca : 0
}
