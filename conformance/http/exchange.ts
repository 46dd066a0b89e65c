/** Describes requests and responses of a run: where they go, how they are built, recorded and shown without secrets. */
import type { Operation } from '../../contract/operation.ts'

/** A request, and the response that it got. */
export type Answer = {
  /** The operation that was called; undefined for a request outside the documented operations. */
  readonly operation: Operation | undefined
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
}

/** For messages: `POST /api/v2/payments returned 500`. */
export function describeAnswer({ request, status }: Answer): string {
  const { pathname, search } = new URL(request.url)
  return `${request.method} ${pathname}${search} returned ${status}`
}

/** A call of an operation. */
export type CallRequest = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON, or as a form where the operation has one. */
  readonly body?: unknown
  /** Sent unchanged in place of `body`. */
  readonly text?: string
  readonly consentId?: string | undefined
  /** Replace the headers that the operation requires; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly method?: string
  /** Whether a 429 is returned to the check. By default it is waited for. */
  readonly returnsRateLimit?: boolean
}

/** A request outside the documented operations. */
export type RawRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

const MASK = '***'
const SECRET_FIELDS = 'client_secret|access_token|signingSecret|bearerToken'
const JSON_FIELD = new RegExp(`("(?:${SECRET_FIELDS})"\\s*:\\s*")[^"]*`, 'g')
/** Of a form, or of the query of a URL. */
const FORM_FIELD = new RegExp(`((?:^|[?&])(?:${SECRET_FIELDS})=)[^&\\s]*`, 'g')
const AUTHORIZATION = /^(Bearer|Basic) .+$/i
/** The random part of a link that gives access to an authorisation or an onboarding: no other part is as long. */
const LINK_TOKEN = /\/[A-Za-z0-9_-]{40,}/g

/** The value of a header without the credentials in it. */
export function maskHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? value.replace(AUTHORIZATION, `$1 ${MASK}`) : maskText(value)
}

/** A body or URL without the secrets in it. */
export function maskText(text: string): string {
  return text.replaceAll(JSON_FIELD, `$1${MASK}`).replaceAll(FORM_FIELD, `$1${MASK}`).replaceAll(LINK_TOKEN, `/${MASK}`)
}

export type PartnerCredentials = { readonly clientId: string; readonly clientSecret: string }

export type TargetOptions = {
  /** Serves `/api/…`; without a slash at the end, like the other URLs. */
  readonly baseUrl: string
  /** Issues tokens. */
  readonly authUrl: string
  /** Serves `/onboarding…`. */
  readonly onboardingUrl: string
  readonly credentials: PartnerCredentials
  readonly scope: string
  /** A second partner, to whom nothing of the first one may be visible. */
  readonly otherPartner?: PartnerCredentials | undefined
  /** An accepted consent. On a sandbox the run creates its own. */
  readonly consentId?: string | undefined
  /** The account to pay from; by default the first one that is suitable. */
  readonly account?: string | undefined
  /** The account to pay to; required outside a sandbox before anything is ordered. */
  readonly creditorAccount?: string | undefined
  /** Where deliveries arrive: a URL that leads to the receiver, and the port on which the receiver listens. */
  readonly webhookUrl?: string | undefined
  readonly webhookPort?: number | undefined
  /** Where users would return to. */
  readonly callbackUrl: string
  /** For how long a check waits for what happens at a bank, and for deliveries. */
  readonly patienceSeconds: number
  /** Sent as `PSU-IP-Address`. */
  readonly psuIpAddress: string
  /** Whether each operation and each field is sent one form of a mistake, in turn, in place of all of them. */
  readonly isShort?: boolean | undefined
  /** Sends the requests, in place of the global function. */
  readonly fetch?: typeof fetch | undefined
}

/** The options, and what was found out about the server. */
export type Target = TargetOptions & {
  /** Whether it has the operations of a sandbox, which replace the user and the bank. */
  readonly isSandbox: boolean
}
