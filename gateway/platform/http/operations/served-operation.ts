/** Types for serving an operation: the caller, the request, and the module's handler. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResponseOf } from '../../../../contract/operation.ts'
import type { ValidationError } from '../errors/api-error.ts'
import type { IdempotencyDependencies, IdempotentRequest } from '../idempotency/idempotency.ts'
import type { UnknownField } from '../validation/unknown-fields.ts'

/** A partner as identified by the token. */
export type PartnerIdentity = { readonly partnerId: string; readonly clientId: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** Also of one that is rejected although its client is known, because its token has expired for example. */
    caller: PartnerIdentity | undefined
  }
}

/** The user's current session; `headers` holds further `PSU-*` headers by their lower-case names. */
export type PsuSession = {
  readonly ipAddress: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request that is about to be answered. */
export type Exchange = {
  readonly request: Pick<FastifyRequest, 'id' | 'method' | 'url' | 'headers' | 'params'>
  /** Undefined without one, and where it could not be parsed. */
  readonly body: unknown
  /** Undefined while the client is not known. */
  readonly caller: PartnerIdentity | undefined
  readonly operation: Operation
  /** Without the body of a streamed one. */
  readonly answer: { readonly status: number; readonly body?: unknown }
  readonly unknownFields: readonly UnknownField[]
  readonly milliseconds: number
}

/** What the modules above provide to the pipeline. */
export type RequestGuards<Partner extends PartnerIdentity = PartnerIdentity, Consent = unknown> = {
  /** Parses the `Authorization` header; throws `unauthenticated`. */
  authenticate(authorization: string | undefined): Promise<Partner>
  /** Throws `forbidden` where the partner's credentials lack the operation's permission. */
  requirePermission(partner: Partner, permission: NonNullable<Operation['permission']>): Promise<void>
  /** Finds the partner's consent; throws `INVALID_CONSENT`. */
  requireConsent(partner: Partner, consentId: string, need: 'accepted' | 'any'): Promise<Consent>
  /** Translates errors of modules, a bank's rejection for example, into API errors. */
  translate(error: unknown): unknown
  /** Runs after authentication; throws `too-many-requests`. */
  limitRate(operation: Operation, request: FastifyRequest, reply: FastifyReply, partner: PartnerIdentity | null): void
  /** Throws `too-many-requests` when an address has sent too many requests without a valid token. */
  limitUnauthenticated(request: FastifyRequest, reply: FastifyReply): void
}

/** The configuration of the pipeline. */
export type ServeSettings<Partner extends PartnerIdentity = PartnerIdentity, Consent = unknown> = {
  readonly server: FastifyInstance
  /** The public base URL, below which errors are documented. */
  readonly baseUrl: string
  readonly gatekeepers: RequestGuards<Partner, Consent>
  readonly idempotency: IdempotencyDependencies
  /** Production requires public addresses of users. */
  readonly privatePsuAddressesAllowed: boolean
  /** Called just before a response is sent; must not throw. */
  readonly recordExchange?: (exchange: Exchange) => void
  /** Called for errors that are our fault. */
  readonly reportInternalError: (fault: { requestId: string; operation: string; error: unknown }) => void
  /** Called for responses that were aborted after they had begun. */
  readonly reportBroken: (broken: { requestId: string; operation: string; error: unknown }) => void
  /** How long a caller may read nothing of a streamed response; one minute by default. */
  readonly stalledMillisecondsMax?: number
}

/** The caller, as far as the operation identifies it. */
export type CallerOf<O extends Operation, Partner, Consent> = O['admits'] extends 'anyone'
  ? null
  : O['admits'] extends 'partner'
    ? Partner & { readonly psu: PsuSession | null }
    : Partner & { readonly psu: PsuSession | null; readonly consent: Consent }

/** A request that has passed all checks. */
type Call<O extends Operation, Partner, Consent> = {
  readonly caller: CallerOf<O, Partner, Consent>
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly requestId: string
  /** The header as sent, for the operation that parses credentials itself. */
  readonly authorization: string | undefined
  /** For operations that store their response in a statement of their own; null without an `Idempotency-Key`. */
  readonly idempotent: IdempotentRequest | null
}

/** A request before idempotency is applied. */
export type CallWithoutIdempotency<
  O extends Operation = Operation,
  Partner = PartnerIdentity,
  Consent = unknown,
> = Omit<Call<O, Partner, Consent>, 'idempotent'>

/** The errors of a body or, without any, what was found out about it, so that no later step derives it again. */
export type Parsing<Parsed = unknown> = readonly ValidationError[] | { readonly parsed: Parsed }

/** Business validation of a body: `isSound` returns whether a part passed schema validation. */
export type Rules<O extends Operation, Partner, Consent, Parsed> = (
  call: CallWithoutIdempotency<O, Partner, Consent>,
  isSound: (path: string) => boolean,
) => Parsing<Parsed> | Promise<Parsing<Parsed>>

/** Handles a request; `parsed` is what its business validation found out. */
export type Handle<O extends Operation, Partner, Consent, Parsed = unknown> = (
  call: Call<O, Partner, Consent> & { readonly parsed: Parsed },
) => Promise<ResponseOf<O>>

/**
 * Streams the response in the media type that the caller asked for. Text of any type but JSON, or JSON of the
 * operation's schema. An error before the first piece is rendered as usual.
 */
export type Stream<O extends Operation, Partner, Consent, Parsed = unknown> = (
  call: Call<O, Partner, Consent> & { readonly parsed: Parsed },
  mediaType: string,
) => AsyncIterable<string>

export type ServedOperation<
  O extends Operation = Operation,
  Partner = PartnerIdentity,
  Consent = unknown,
  Parsed = unknown,
> = (
  | { readonly handle: Handle<O, Partner, Consent, Parsed> }
  | { readonly stream: Stream<O, Partner, Consent, Parsed> }
) & {
  readonly rules?: Rules<O, Partner, Consent, Parsed>
  /**
   * Validates a body that is too long to be checked in one go, and returns its errors in body order; replaces schema
   * and business validation, and may return any number of errors. `texts` are the invalid strings of the body, which
   * are among the errors.
   */
  readonly validateCall?: (
    call: CallWithoutIdempotency<O, Partner, Consent>,
    texts: readonly ValidationError[],
  ) => Promise<Parsing<Parsed>>
  /** Whether the operation starts and ends the idempotent request in its own statements. */
  readonly storesAnswer?: boolean
  /** Additional headers of its response. */
  readonly headers?: Readonly<Record<string, string>>
  /** The error for a malformed body where that is not the list of validation errors. */
  readonly validationErrorOf?: (validationErrors: readonly ValidationError[]) => Error
}

export type Serve<Partner extends PartnerIdentity, Consent> = <const O extends Operation, Parsed>(
  operation: O,
  served: ServedOperation<O, Partner, Consent, Parsed> | Handle<O, Partner, Consent>,
) => void
