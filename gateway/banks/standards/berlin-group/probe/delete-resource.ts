/** Deletes what a probe created, and finds out whether it is gone. */
import { toCancellationAnswer } from '../payments/order-operations.ts'
import { type CreatedResource, fieldsIn } from './created-resources.ts'
import { creationHeaders, describeAnswer, errorText, type ProbeAnswer, type Prober } from './prober.ts'

/** With these statuses nothing can be signed any more: of orders, consents, and baskets. */
const ENDED: ReadonlySet<string> = new Set(
  ['RJCT', 'CANC', 'terminatedByTpp', 'rejected', 'revokedByPsu', 'expired'].map((status) => status.toLowerCase()),
)
/** Codes of a resource that does not exist. A 404 without one may be of a bank that has no such request. */
const UNKNOWN: ReadonlySet<string> = new Set(['RESOURCE_UNKNOWN', 'CONSENT_UNKNOWN', 'RESOURCE_EXPIRED'])

/** Creates with an empty body unless one is given, and deletes at once what the bank accepts nevertheless. */
export async function createAndDelete(
  prober: Prober,
  path: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<ProbeAnswer> {
  const answer = await prober.ask({ method: 'POST', path, headers: creationHeaders(prober.line), body })
  if (answer.created !== undefined) {
    await deleteResource(prober, answer.created)
  }
  return answer
}

/** Deletes a resource; orders are cancelled as the connector does it. Its status shows the result. */
export async function deleteResource(prober: Prober, resource: CreatedResource): Promise<void> {
  const { service, product, id } = resource
  if (id === null) {
    return
  }
  const path = ['', service, ...(product === null ? [] : [product]), encodeURIComponent(id)].join('/')
  const isOrder = product !== null
  const headers = isOrder ? creationHeaders(prober.line) : {}
  try {
    const deleted = await prober.ask({ method: 'DELETE', path, headers, isDeletion: true })
    const shown = await prober.ask({ method: 'GET', path: `${path}/status`, isDeletion: true })
    prober.created.recordDeletion(resource, stateAfter(deleted, shown))
  } catch (error) {
    prober.created.recordDeletion(resource, `its deletion was not answered: ${errorText(error)}`)
    throw error
  }
}

/** Deletes what is left when a probe ends, whatever ended it. */
export async function deleteRemaining(prober: Prober): Promise<void> {
  for (const resource of prober.created.untried()) {
    await deleteResource(prober, resource).catch(() => undefined)
  }
}

/** Null when nothing remains at the bank. */
function stateAfter(deleted: ProbeAnswer, shown: ProbeAnswer): string | null {
  const status = shown.status === 200 ? statusIn(shown.body) : undefined
  const answered = `its deletion was answered with ${describeAnswer(deleted)}`
  if (status !== undefined) {
    return ENDED.has(status.toLowerCase()) ? null : `is ${status}; ${answered}`
  }
  const isAccepted = deleted.status >= 200 && deleted.status < 300
  const wantsSignature = isAccepted && toCancellationAnswer(deleted) === 'authorisation-required'
  if ((isAccepted && !wantsSignature) || deleted.errors.some(({ code }) => UNKNOWN.has(code))) {
    return null
  }
  return `its status was answered with ${describeAnswer(shown)}; ${answered}${wantsSignature ? ', which requires a signature' : ''}`
}

function statusIn(body: string): string | undefined {
  const { transactionStatus, consentStatus } = fieldsIn(body)
  const status: unknown = transactionStatus ?? consentStatus
  return typeof status === 'string' ? status : undefined
}
