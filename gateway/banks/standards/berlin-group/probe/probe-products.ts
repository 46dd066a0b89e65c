/** Probes which services and products a bank has, with empty bodies, which cannot be executed. */

import { randomUUID } from 'node:crypto'
import { type Finding, finding } from '../../../connector/probe-report.ts'
import { createAndDelete } from './delete-resource.ts'
import { describeAnswer, isConclusive, isSameAnswer, type ProbeAnswer, type Prober } from './prober.ts'

/** No bank has a product of this name: products with another answer exist. */
const NO_SUCH_PRODUCT = 'havn-no-such-product'
/** Error codes for an unknown product, or one without this service. */
const ABSENT_CODES: ReadonlySet<string> = new Set(['PRODUCT_UNKNOWN', 'PRODUCT_INVALID', 'SERVICE_INVALID'])
const ABSENT_STATUSES: ReadonlySet<number> = new Set([404, 405, 501])

/** Products of the standard, of its domestic definitions, and of the banks with a profile. */
const KNOWN_PRODUCTS = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
  'norwegian-domestic-credit-transfers',
  'norwegian-cross-border-credit-transfers',
  'danish-domestic-credit-transfers',
  'se-domestic-credit-transfers',
  'se-international-credit-transfers',
  'corporate-se-domestic-credit-transfers',
  'corporate-se-domestic-alias-credit-transfers',
] as const

export type ProductsProbe = {
  readonly findings: readonly Finding[]
  /** A product of the account rail; null where none was found. */
  readonly account: string | null
  /** Whether it accepts bulks. */
  readonly hasBulks: boolean
}

/** Probes for payments, bulks, baskets and cancellations. */
export async function probeProducts(prober: Prober): Promise<ProductsProbe> {
  const { products: profile, crossBorder } = prober.dialect
  const named = [...new Set([...Object.values(profile), ...(crossBorder === undefined ? [] : [crossBorder.product])])]
  const control = await createAndDelete(prober, `/payments/${NO_SUCH_PRODUCT}`)
  const present: string[] = []
  for (const product of new Set([...named, ...KNOWN_PRODUCTS])) {
    const answer = await createAndDelete(prober, `/payments/${product}`)
    if (isPresent(answer, control)) {
      present.push(product)
    }
  }
  const account = [profile.account, ...present.filter(isDomestic)].find((product) => present.includes(product)) ?? null
  const bulk = await createAndDelete(prober, `/bulk-payments/${account ?? NO_SUCH_PRODUCT}`)
  const hasBulks =
    account !== null && isPresent(bulk, await createAndDelete(prober, `/bulk-payments/${NO_SUCH_PRODUCT}`))
  const because = `an unknown product is answered with ${describeAnswer(control)}; differently: ${present.join(', ') || 'none'}`
  const isReported = present.length > 0
  return {
    account,
    hasBulks,
    findings: [
      finding(
        'dialect.products.account',
        { profile: profile.account, suggested: isReported ? (account ?? undefined) : undefined },
        because,
      ),
      crossBorderFinding(prober, isReported ? present : null),
      bulkFinding(prober, isReported ? hasBulks : null, bulk),
      await basketsFinding(prober),
      await cancellationFinding(prober, account),
    ],
  }
}

function isAbsent({ status, errors }: ProbeAnswer): boolean {
  return ABSENT_STATUSES.has(status) || errors.some(({ code }) => ABSENT_CODES.has(code))
}

function isPresent(answer: ProbeAnswer, control: ProbeAnswer): boolean {
  return isConclusive(answer) && !isAbsent(answer) && !isSameAnswer(answer, control)
}

function isDomestic(product: string): boolean {
  return /domestic|^sepa-/.test(product) && !product.includes('alias')
}

function crossBorderFinding({ dialect }: Prober, present: readonly string[] | null): Finding {
  const profile = dialect.crossBorder?.product ?? 'none'
  const found = present?.filter((product) => /border|international/.test(product)) ?? []
  const suggested = present === null ? undefined : found.includes(profile) ? profile : (found[0] ?? 'none')
  return finding('dialect.crossBorder.product', { profile, suggested }, `found: ${found.join(', ') || 'none'}`)
}

function bulkFinding({ bank }: Prober, hasBulks: boolean | null, answer: ProbeAnswer): Finding {
  const profile = bank.profile.payroll?.submissionMode ?? 'none'
  const isMissing = hasBulks === false && profile === 'bulk' && isConclusive(answer)
  const suggested = hasBulks === true ? 'bulk' : isMissing ? 'no bulk' : undefined
  return finding(
    'payroll.submissionMode',
    { profile, suggested },
    `an empty bulk is answered with ${describeAnswer(answer)}`,
  )
}

async function basketsFinding(prober: Prober): Promise<Finding> {
  const control = await createAndDelete(prober, `/${NO_SUCH_PRODUCT}`)
  const answer = await createAndDelete(prober, '/signing-baskets')
  const because = `an empty basket is answered with ${describeAnswer(answer)}`
  const profile = prober.bank.profile.baskets === null ? 'none' : 'offered'
  const suggested = isPresent(answer, control) ? 'offered' : isConclusive(answer) ? 'none' : undefined
  return finding('baskets', { profile, suggested }, because)
}

/** Cancels a payment that does not exist. */
async function cancellationFinding(prober: Prober, product: string | null): Promise<Finding> {
  const { cancellation: profile } = prober.bank.profile
  if (product === null) {
    return finding('cancellation', { profile, suggested: undefined }, 'no product was found')
  }
  const answer = await prober.ask({ method: 'DELETE', path: `/payments/${product}/${randomUUID()}` })
  const because = `cancelling a payment that does not exist is answered with ${describeAnswer(answer)}`
  const isOffered = answer.status !== 405 && !answer.errors.some(({ code }) => code === 'SERVICE_INVALID')
  const isKnown = isConclusive(answer) && !(isOffered && profile === 'none')
  const suggested = isKnown ? (isOffered ? profile : 'none') : undefined
  return finding('cancellation', { profile, suggested }, because)
}
