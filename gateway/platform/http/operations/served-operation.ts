/** Says what serving an operation takes: who may call, what a call is, and how a room answers it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from '../../../../contract/operation.ts'
import type { IdempotencyTools, IdempotentRequest } from '../../../foundation/http/idempotency.ts'
import type { Problem } from '../errors/api-error.ts'
import type { PsuSession } from './psu-session.ts'

/** A partner as the token names it. */
export type PartnerIdentity = { readonly partnerId: string; readonly clientId: string }

/** What the rooms above hand to the pipeline. */
export type Gatekeepers<Partner extends PartnerIdentity, Consent> = {
  /** Reads the `Authorization` header; throws `unauthenticated`. */
  authenticate(authorization: string | undefined): Promise<Partner>
  /** Throws `forbidden` where the partner's credentials are not allowed what the operation asks for. */
  requirePermission(partner: Partner, permission: NonNullable<Operation['permission']>): Promise<void>
  /** Finds the partner's consent; throws `INVALID_CONSENT`. */
  requireConsent(partner: Partner, consentId: string, need: 'accepted' | 'any'): Promise<Consent>
  /** Translates what rooms throw, a bank's refusal for example, into a refusal. */
  translate(error: unknown): unknown
  /** Runs after the token is known; throws `too-many-requests`. */
  limitRate(
    operation: Operation,
    request: FastifyRequest,
    reply: FastifyReply,
    partner: PartnerIdentity | null,
  ): Promise<void>
  /** Throws `too-many-requests` when an address has sent too many requests without a valid token. */
  limitUnauthenticated(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** How the pipeline is set up. */
export type ServeSettings<Partner extends PartnerIdentity, Consent> = {
  readonly server: FastifyInstance
  readonly gatekeepers: Gatekeepers<Partner, Consent>
  readonly idempotency: IdempotencyTools
  /** Production refuses private addresses of users. */
  readonly privatePsuAddressesAllowed: boolean
  /** Told of failures that are faults of ours. */
  readonly reportFault: (fault: { requestId: string; operation: string; error: unknown }) => void
  /** Told of answers that were broken off after they had begun. */
  readonly reportBroken: (broken: { requestId: string; operation: string; error: unknown }) => void
  /** How long a caller may take nothing of an answer that is sent to it piece by piece; a minute unless told otherwise. */
  readonly stalledMillisecondsMax?: number
}

/** Who is calling, as far as the operation asks. */
export type CallerOf<O extends Operation, Partner, Consent> = O['admits'] extends 'anyone'
  ? null
  : O['admits'] extends 'partner'
    ? Partner & { readonly psu: PsuSession | null }
    : Partner & { readonly psu: PsuSession | null; readonly consent: Consent }

/** A request that has passed all checks. */
export type Call<O extends Operation, Partner, Consent> = {
  readonly caller: CallerOf<O, Partner, Consent>
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly requestId: string
  /** The header as it came, for the operation that reads credentials itself. */
  readonly authorization: string | undefined
  /** For verbs that keep their answer in a statement of their own; null without an `Idempotency-Key`. */
  readonly idempotent: IdempotentRequest | null
}

/** A call before idempotency comes into it. */
export type Unkeyed<O extends Operation, Partner, Consent> = Omit<Call<O, Partner, Consent>, 'idempotent'>

/** Business rules on a body: `isSound` tells whether a part has the shape that a rule may rely on. */
export type Rules<O extends Operation, Partner, Consent> = (
  call: Unkeyed<O, Partner, Consent>,
  isSound: (path: string) => boolean,
) => readonly Problem[] | Promise<readonly Problem[]>

/** Answers a call. */
export type Handle<O extends Operation, Partner, Consent> = (call: Call<O, Partner, Consent>) => Promise<AnswerOf<O>>

/**
 * Writes the answer to a call, in the form that its caller asked for, piece by piece while it is sent. Text of any form
 * but JSON, or JSON of the operation's schema. What is thrown before the first piece is refused as usual.
 */
export type Stream<O extends Operation, Partner, Consent> = (
  call: Call<O, Partner, Consent>,
  mediaType: string,
) => AsyncIterable<string>

/** How an operation is served. */
export type Served<O extends Operation, Partner, Consent> = (
  | { readonly handle: Handle<O, Partner, Consent> }
  | { readonly stream: Stream<O, Partner, Consent> }
) & {
  readonly rules?: Rules<O, Partner, Consent>
  /**
   * Finds everything that is wrong with a body which is too long to be checked in one go, in body order; takes the place
   * of the schema and the rules, and may list as many problems as it likes. `texts` are those of the body that cannot be
   * used, which are among the problems.
   */
  readonly judge?: (call: Unkeyed<O, Partner, Consent>, texts: readonly Problem[]) => Promise<readonly Problem[]>
  /** Whether the verb begins and ends the idempotent request in its own statements. */
  readonly keepsAnswer?: boolean
  /** Headers of its answer besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a malformed body is refused with where that is not the list of problems. */
  readonly refuseShape?: (problems: readonly Problem[]) => Error
}

/** Registers an operation. */
export type Serve<Partner extends PartnerIdentity, Consent> = <const O extends Operation>(
  operation: O,
  served: Served<O, Partner, Consent> | Handle<O, Partner, Consent>,
) => void
