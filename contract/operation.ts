/** Defines an operation of the API: method, path, authentication, inputs, response and errors. */
import type { Static, TObject, TSchema } from 'typebox'
import type { CodedErrorCode } from './errors/coded-errors.ts'
import type { ValidationCode } from './errors/error-codes.ts'
import type { FailureCode } from './errors/failures.ts'

/** Statuses whose error envelope has no code. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 406 | 409 | 429 | 500 | 503

/** One operation: validation, types, the OpenAPI document and the client are all read from it. */
export type Operation = {
  /** The `operationId`, and the name of the client's method. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below its server, with parameters in braces. */
  readonly path: string
  /** Which of the three servers of an environment serves it. */
  readonly server: 'base' | 'auth' | 'onboarding'
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** What it ends, replaces or disturbs, as a sentence: it must not run by accident. Absent if it does none of these. */
  readonly destructive?: string
  /** The authentication: none, a bearer token, or a bearer token and a `consent-id`. */
  readonly admits: 'anyone' | 'partner' | 'consent'
  /** Which consents `admits: 'consent'` accepts: a valid one by default, or `any` of the partner's. */
  readonly consentState?: 'accepted' | 'any'
  /** The permission that the credentials need; 403 without it. */
  readonly permission?: 'payroll'
  /** Whether its contents may be salaries, of which logs show the structure only; those with the permission `payroll` are. */
  readonly isConfidential?: true
  /** Whether `PSU-IP-Address` and `PSU-User-Agent` are required, accepted, or ignored. */
  readonly psu: 'required' | 'optional' | 'none'
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The media type of the body; JSON by default. */
  readonly bodyType?: 'json' | 'form'
  /** The maximum size of the body; 256 kB by default. */
  readonly bodyBytesMax?: number
  readonly answer: {
    readonly status: 200 | 201 | 204
    readonly schema: TSchema | null
    /** The field that says that the work continues after the answer, whose status is 202 then. */
    readonly continuesWith?: string
    /** The other media types that `Accept` may request instead of JSON, each with its description. */
    readonly otherForms?: { readonly [mediaType: string]: string }
  }
  /** Codes of its 400 envelopes that carry `failure`. */
  readonly failures: readonly FailureCode[]
  /** The code of the error for an id in its path that no resource can have, by parameter; 404 without a code by default. */
  readonly malformedIds?: { readonly [parameter in string]: FailureCode | CodedErrorCode }
  /** Statuses of its envelopes without a code. */
  readonly errorStatuses: readonly ErrorStatus[]
  /** Bodies of the `errorStatuses` that differ from the envelope, as at the token endpoint. */
  readonly errorBodies?: { readonly [Status in ErrorStatus | 413 | 415]?: TSchema }
  /** Whether every error has the form of RFC 6749 in place of the envelope, as at the token endpoint. */
  readonly errorFormat?: 'oauth'
  /**
   * The answer to a malformed body or query: by default 422 with all validation errors; 400 is an envelope;
   * `parsing-error` is 400 with the first parsing error, and 422 if the body can be parsed.
   */
  readonly malformed?: 400 | 422 | 'parsing-error'
  /** Statuses of `errorStatuses` whose body is plain text, without an envelope. */
  readonly plainTextErrors?: readonly ErrorStatus[]
  /** Codes of its 422 responses; empty if it has none. */
  readonly validation: readonly ValidationCode[]
  /** Whether it accepts `Idempotency-Key`. */
  readonly idempotent: boolean
  /** What it orders at a bank, one or many: named to a repetition while the first request is open. */
  readonly orders?: 'payment' | 'payroll' | 'payrolls'
  /** Whether it exists in the sandbox only. */
  readonly sandboxOnly: boolean
}

/** What an operation is unless its entry says otherwise. */
const DEFAULTS = {
  server: 'base',
  psu: 'none',
  failures: [],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
} as const satisfies Partial<Operation>
type Defaults = typeof DEFAULTS

/** Returns the entry with its exact types, completed by the defaults. */
export function operation<const O extends Omit<Operation, keyof Defaults> & Partial<Pick<Operation, keyof Defaults>>>(
  entry: O,
): O & Omit<Defaults, keyof O> {
  return { ...DEFAULTS, ...entry }
}

/** The type of the body, or undefined if the operation has none. */
export type BodyOf<O extends Operation> = O extends { readonly body: infer S extends TSchema } ? Static<S> : undefined

/** The path parameters, or undefined if there are none. */
export type ParamsOf<O extends Operation> = O extends { readonly params: infer S extends TObject }
  ? Static<S>
  : undefined

/** The query parameters, or undefined if there are none. */
export type QueryOf<O extends Operation> = O extends { readonly query: infer S extends TObject } ? Static<S> : undefined

/** The type of the successful response, or undefined if it has no body. */
export type ResponseOf<O extends Operation> = O['answer']['schema'] extends infer S extends TSchema
  ? Static<S>
  : undefined

/** The input of a call: the parts that the operation has; a query with only optional fields may be absent. */
export type InputsOf<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'body', BodyOf<O>> &
  (object extends QueryOf<O> ? Partial<Part<'query', QueryOf<O>>> : Part<'query', QueryOf<O>>)

type Part<Name extends string, Value> = [Value] extends [undefined] ? unknown : { readonly [name in Name]: Value }

/** Values that match the operation's schemas; a test validates them. */
type Example<O extends Operation> = InputsOf<O> & {
  /** What it shows. */
  readonly summary: string
  readonly answer: ResponseOf<O>
}

/** An operation's examples: at least one. */
export type Examples<O extends Operation> = readonly [Example<O>, ...Example<O>[]]
