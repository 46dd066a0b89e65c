/** Lists the errors other than 400 that carry a code, with the status of each and its additional fields. */
import { type TSchema, Type } from 'typebox'
import { orNull } from '../shapes.ts'

/** Each code with its status, its meaning for the partner, and the additional fields of its body. */
export const CODED_ERRORS = {
  /** Another 403 of the same operation has no code. */
  INACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The company has no active subscription.',
    hasMessage: false,
    members: {},
  },
  /** Another 403 of the same operation, for a company that may not pay at all, has no code. */
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: {
    status: 403,
    meaning: 'The company may not pay to other countries, or from accounts in other currencies.',
    hasMessage: true,
    members: {},
  },
  ONBOARDING_NOT_FOUND: {
    status: 404,
    meaning: 'The onboarding does not exist, or it belongs to another partner.',
    hasMessage: true,
    members: {},
  },
  /** Another 409 of the same operation, for a request with the same key still in flight, has no code. */
  COMPANY_ALREADY_EXISTS: {
    status: 409,
    meaning: 'The company is already onboarded; additionalInformation names its onboarding.',
    hasMessage: true,
    members: {
      additionalInformation: Type.Optional(
        Type.Object(
          {
            onboardingId: orNull(
              Type.String({ format: 'uuid' }),
              'The onboarding that created the company; null if it was registered in another way.',
            ),
          },
          { title: 'ExistingCompany', description: 'Present with the code.' },
        ),
      ),
    },
  },
} as const satisfies { readonly [code in string]: CodedError }

type CodedError = {
  readonly status: 403 | 404 | 409
  readonly meaning: string
  /** Whether the documented body has `message` in addition to the code. */
  readonly hasMessage: boolean
  readonly members: { readonly [name in string]: TSchema }
}

export type CodedErrorCode = keyof typeof CODED_ERRORS

export function isCodedErrorCode(code: string): code is CodedErrorCode {
  return code in CODED_ERRORS
}
