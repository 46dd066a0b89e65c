/** Defines an operation of the API: method, path, authentication, inputs, response and errors. */
import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode, ValidationCode } from './errors/error-codes.ts'

/** Statuses that are answered with an envelope without a code. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 406 | 409 | 429 | 500 | 503

/** One operation: validation, types, the OpenAPI document and the client are all read from it. */
export type Operation = {
  /** The `operationId`, and the name of the client's method. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Where it is below its server, with parameters in braces. */
  readonly path: string
  /** Which of the three addresses of an environment serves it. */
  readonly server: 'base' | 'auth' | 'onboarding'
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The authentication: none, a bearer token, or a bearer token and a `consent-id`. */
  readonly admits: 'anyone' | 'partner' | 'consent'
  /** Which consent `admits: 'consent'` takes: an accepted one unless this says that any of the partner's will do. */
  readonly consentState?: 'accepted' | 'any'
  /** What the credentials must be allowed in addition to what all are; 403 otherwise. */
  readonly permission?: 'payroll'
  /** Whether `PSU-IP-Address` and `PSU-User-Agent` are needed, accepted, or of no meaning. */
  readonly psu: 'required' | 'optional' | 'none'
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The media type of the body; JSON unless said. */
  readonly bodyType?: 'json' | 'form'
  /** How large the body may be; 256 kB unless this says so. */
  readonly bodyBytesMax?: number
  readonly answer: {
    readonly status: 200 | 201 | 204
    readonly schema: TSchema | null
    /** The field that says that the work continues after the answer, whose status is 202 then. */
    readonly continuesWith?: string
    /** What the same may be had as instead of JSON, by the media type that `Accept` asks for; each with what it is. */
    readonly otherForms?: { readonly [mediaType: string]: string }
  }
  /** Codes of its 400 envelopes that carry `failure`. */
  readonly failures: readonly FailureCode[]
  /** Statuses of its envelopes without a code. */
  readonly errorStatuses: readonly ErrorStatus[]
  /** Bodies of those errorStatuses that are not the envelope, as at the token endpoint. */
  readonly errorBodies?: { readonly [Status in ErrorStatus | 413 | 415]?: TSchema }
  /** Whether every error has the form of RFC 6749 in place of the envelope, as at the token endpoint. */
  readonly errorFormat?: 'oauth'
  /**
   * Whether a malformed body or query is answered with all its problems, as 422 unless this says so, as an envelope, or
   * as 400 with the first thing that keeps it from being read; what is wrong with one that can be read is 422 then.
   */
  readonly malformed?: 400 | 422 | 'parsing-error'
  /** Statuses of `errorStatuses` whose body is plain text, without an envelope. */
  readonly plainTextErrors?: readonly ErrorStatus[]
  /** Codes of its 422 answers; empty when it has none. */
  readonly validation: readonly ValidationCode[]
  /** Whether it takes `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Whether it exists in the sandbox only. */
  readonly sandboxOnly: boolean
}

/** Returns the entry with its exact types. */
export function operation<const O extends Operation>(entry: O): O {
  return entry
}

/** What is sent as the body, or undefined when the operation takes none. */
export type BodyOf<O extends Operation> = O extends { readonly body: infer S extends TSchema } ? Static<S> : undefined

/** The parameters of the path, or undefined when it has none. */
export type ParamsOf<O extends Operation> = O extends { readonly params: infer S extends TObject }
  ? Static<S>
  : undefined

/** The parameters of the query, or undefined when there are none. */
export type QueryOf<O extends Operation> = O extends { readonly query: infer S extends TObject } ? Static<S> : undefined

/** What is answered on success, or undefined when the answer has no body. */
export type ResponseOf<O extends Operation> = O['answer']['schema'] extends infer S extends TSchema
  ? Static<S>
  : undefined

/** The input of a call: the parts that the operation has; a query with only optional fields may be absent. */
export type InputsOf<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'body', BodyOf<O>> &
  (object extends QueryOf<O> ? Partial<Part<'query', QueryOf<O>>> : Part<'query', QueryOf<O>>)

type Part<Name extends string, Value> = [Value] extends [undefined] ? unknown : { readonly [name in Name]: Value }
