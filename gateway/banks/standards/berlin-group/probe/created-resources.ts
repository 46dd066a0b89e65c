/** Follows what a probe creates at a bank and what of it remains there. */
import { parseJson } from '../../../../platform/parse-json.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { RemainingResource } from '../../../connector/probe-report.ts'
import { parseIdentifier } from '../wire.ts'

/** A consent, order or basket that the bank holds, or may hold. */
export type CreatedResource = {
  readonly service: Service
  /** The payment product; null for consents and baskets. */
  readonly product: string | null
  /** Null where the bank's answer has none, so that the resource cannot be deleted. */
  readonly id: string | null
  readonly requestId: string
}

/** The services that create resources, and the field of the resource's id. */
const ID_FIELD_BY_SERVICE = {
  payments: 'paymentId',
  'bulk-payments': 'paymentId',
  consents: 'consentId',
  'signing-baskets': 'basketId',
} as const
const ACKNOWLEDGED: ReadonlySet<number> = new Set([201, 202])
type Service = keyof typeof ID_FIELD_BY_SERVICE

export type CreatedResources = {
  /** Records that a request created something, or may have. */
  record(resource: CreatedResource, state: string): void
  /** Records a successful answer; undefined where it is no acknowledgement: neither 201 nor 202, and without an id. */
  recordCreation(resource: CreatedResource, answer: BankResponse): CreatedResource | undefined
  /** Records the result of a deletion: null when nothing remains. */
  recordDeletion(resource: CreatedResource, state: string | null): void
  /** Those that can be deleted and were not tried yet. */
  untried(): readonly CreatedResource[]
  /** What is still at the bank, or may be. */
  remaining(): readonly RemainingResource[]
  /** How many were created and have ended. */
  ended(): number
  /** Names of the links in the answers to creations. */
  links(): ReadonlySet<string>
}

/** Starts without resources. */
export function followCreatedResources(): CreatedResources {
  const states = new Map<CreatedResource, string>()
  const tried = new Set<CreatedResource>()
  const links = new Set<string>()
  let ended = 0
  return {
    record: (resource, state) => void states.set(resource, state),
    recordCreation: (resource, answer) => {
      const created = { ...resource, id: idInAnswer(resource, answer) }
      if (created.id === null && !ACKNOWLEDGED.has(answer.status)) {
        return undefined
      }
      states.set(created, created.id === null ? 'created, but the answer has no id' : 'created')
      for (const name of Object.keys(Object(fieldsIn(answer.body)['_links']))) {
        links.add(name)
      }
      return created
    },
    recordDeletion: (resource, state) => {
      tried.add(resource)
      if (state === null) {
        states.delete(resource)
        ended += 1
      } else {
        states.set(resource, state)
      }
    },
    untried: () => [...states.keys()].filter((resource) => resource.id !== null && !tried.has(resource)),
    remaining: () => [...states].map(([resource, state]) => ({ ...resource, state })),
    ended: () => ended,
    links: () => links,
  }
}

/** The resource that a request would create; undefined for requests that create nothing. */
export function resourceOf(method: string, path: string, requestId: string): CreatedResource | undefined {
  const [, service = '', product = null] = path.split('/')
  return method === 'POST' && Object.hasOwn(ID_FIELD_BY_SERVICE, service)
    ? { service: service as Service, product, id: null, requestId }
    : undefined
}

/** The bank's id of a created resource: in the body, else the end of its location or self link. */
function idInAnswer({ service }: CreatedResource, { body, headers }: BankResponse): string | null {
  const fields = fieldsIn(body)
  const named: unknown = fields[ID_FIELD_BY_SERVICE[service]]
  const link: unknown = headers['location'] ?? Object(Object(fields['_links'])['self'])['href']
  const linked = /\/([^/?#]+)\/?$/.exec(String(link ?? ''))?.[1]
  // Ids are used in paths.
  return parseIdentifier(named) ?? (linked === service ? null : (parseIdentifier(linked) ?? null))
}

/** The fields of a JSON object; none for other bodies. */
export function fieldsIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(parseJson(body))
  } catch {
    return {}
  }
}
