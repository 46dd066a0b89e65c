/** Lists the errors other than 400 that carry a code, with the status and the body of each. */
import { type TSchema, Type } from 'typebox'
import type { Operation } from '../operation.ts'
import { errorEnvelopeFields } from './error-codes.ts'

const { svcRequestId, message } = errorEnvelopeFields

/** Each code with its status, its meaning for the partner, and the additional fields of its body. */
export const CODED_ERRORS = {
  /** The published API has no message here; another 403 of the same operation has a message and no code. */
  INACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The company has no active subscription.',
    members: { svcRequestId, message: Type.Optional(message) },
  },
  /** Another 403 of the same operation, for a company that may not pay at all, has no code. */
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: {
    status: 403,
    meaning: 'The company may not pay to other countries, or from accounts in other currencies.',
    members: { svcRequestId, message },
  },
  ONBOARDING_NOT_FOUND: {
    status: 404,
    meaning: 'The onboarding does not exist, or it belongs to another partner.',
    members: { svcRequestId, message },
  },
  /** Another 409 of the same operation, for a request with the same key still in flight, has no code. */
  COMPANY_ALREADY_EXISTS: {
    status: 409,
    meaning: 'The company is already onboarded; additionalInformation names its onboarding.',
    members: {
      svcRequestId,
      message,
      additionalInformation: Type.Optional(
        Type.Object(
          {
            onboardingId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
              description: 'The onboarding that created the company; null if it was registered in another way.',
            }),
          },
          { description: 'Present with the code.' },
        ),
      ),
    },
  },
} as const satisfies { readonly [code in string]: CodedError }

type CodedError = {
  readonly status: 403 | 404 | 409
  readonly meaning: string
  readonly members: { readonly [name in string]: TSchema }
}

export type CodedErrorCode = keyof typeof CODED_ERRORS

/** Returns the error body of an operation for one status, with an optional code, for `errorBodies`. */
export const codedErrorBody: { readonly [code in CodedErrorCode]: TSchema } = {
  INACTIVE_SUBSCRIPTION: bodyOf('INACTIVE_SUBSCRIPTION'),
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: bodyOf('COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS'),
  ONBOARDING_NOT_FOUND: bodyOf('ONBOARDING_NOT_FOUND'),
  COMPANY_ALREADY_EXISTS: bodyOf('COMPANY_ALREADY_EXISTS'),
}

/** Returns whether an operation may answer with the code. */
export function documentsErrorCode({ errorBodies }: Pick<Operation, 'errorBodies'>, code: CodedErrorCode): boolean {
  return errorBodies?.[CODED_ERRORS[code].status] === codedErrorBody[code]
}

export function isCodedErrorCode(code: string): code is CodedErrorCode {
  return code in CODED_ERRORS
}

function bodyOf(code: CodedErrorCode): TSchema {
  const { meaning, members } = CODED_ERRORS[code]
  const failure = Type.Enum([code], {
    description: `The error code; absent when the request was rejected for another reason. ${meaning}`,
  })
  return Type.Object({ failure: Type.Optional(failure), ...members }, { description: 'Why the request was rejected.' })
}
