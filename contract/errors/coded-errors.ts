/** Lists the errors other than 400 that carry a code, with the status of each and its additional fields. */
import { type TSchema, Type } from 'typebox'
import { orNull } from '../shapes.ts'
import type { DocumentedError } from './failures.ts'

/** Each code with its status, what the documentation says about it, and the additional fields of its body. */
export const CODED_ERRORS = {
  /** Another 403 of the same operation has no code. */
  INACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The company has no active subscription.',
    cause: 'The subscription of the company was cancelled, or was never activated.',
    action: 'Activate the subscription of the company, then repeat the request.',
    isTemporary: true,
    hasMessage: false,
    members: {},
  },
  /** Another 403 of the same operation, for a company that may not pay at all, has no code. */
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: {
    status: 403,
    meaning: 'The company may not pay to other countries, or from accounts in other currencies.',
    cause: 'The operator has not enabled the company for payments abroad.',
    action: 'Ask the operator to enable the company; payments within the country work meanwhile.',
    isTemporary: true,
    hasMessage: true,
    members: {},
  },
  ONBOARDING_NOT_FOUND: {
    status: 404,
    meaning: 'The onboarding does not exist, or it belongs to another partner.',
    cause: 'The id is wrong, of another environment, or of an onboarding that has been deleted.',
    action: 'Use the id from the answer that started the onboarding, or list your onboardings.',
    hasMessage: true,
    members: {},
  },
  /** Another 409 of the same operation, for a request with the same key still in flight, has no code. */
  COMPANY_ALREADY_EXISTS: {
    status: 409,
    meaning: 'The company is already onboarded; additionalInformation names its onboarding.',
    cause: 'You have onboarded or registered the company before.',
    action: 'Continue with the existing company: GET /api/companies lists it. No new onboarding is needed.',
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

type CodedError = DocumentedError & {
  readonly status: 403 | 404 | 409
  /** Whether the documented body has `message` in addition to the code. */
  readonly hasMessage: boolean
  readonly members: { readonly [name in string]: TSchema }
}

export type CodedErrorCode = keyof typeof CODED_ERRORS

export function isCodedErrorCode(code: string): code is CodedErrorCode {
  return code in CODED_ERRORS
}
