/** Lists the refusals outside 400 that carry a code, with the status and the body of each. */
import { type TSchema, Type } from 'typebox'
import type { Operation } from '../operation.ts'
import { refusalMembers } from './error-codes.ts'

const { svcRequestId, message } = refusalMembers

/** Each code with its status, what it means to a partner, and what its body has besides the code. */
export const CODED_REFUSALS = {
  /** The interface gives it no message; another 403 of the same operation has one, and no code. */
  INACTIVE_SUBSCRIPTION: {
    status: 403,
    meaning: 'The company has no active subscription.',
    members: { svcRequestId, message: Type.Optional(message) },
  },
  /** Another 403 of the same operation, of a company that may pay nobody, has no code. */
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: {
    status: 403,
    meaning: 'The company may not pay to other countries, or from accounts in other currencies.',
    members: { svcRequestId, message },
  },
  ONBOARDING_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such onboarding, or it belongs to another partner.',
    members: { svcRequestId, message },
  },
  /** Another 409 of the same operation, that of a request still under way by its key, has no code. */
  COMPANY_ALREADY_EXISTS: {
    status: 409,
    meaning: 'You have the company already; additionalInformation names the onboarding that it came from.',
    members: {
      svcRequestId,
      message,
      additionalInformation: Type.Optional(
        Type.Object(
          {
            onboardingId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
              description: 'The onboarding that the company came from; null when it came in otherwise.',
            }),
          },
          { description: 'There with the code.' },
        ),
      ),
    },
  },
} as const satisfies { readonly [code in string]: CodedRefusal }

type CodedRefusal = {
  readonly status: 403 | 404 | 409
  readonly meaning: string
  readonly members: { readonly [name in string]: TSchema }
}

export type RefusalCode = keyof typeof CODED_REFUSALS

/** The body of an operation's refusals of one status, some of which carry the code; goes into `refusalBodies`. */
export const codedBody: { readonly [code in RefusalCode]: TSchema } = {
  INACTIVE_SUBSCRIPTION: bodyOf('INACTIVE_SUBSCRIPTION'),
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: bodyOf('COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS'),
  ONBOARDING_NOT_FOUND: bodyOf('ONBOARDING_NOT_FOUND'),
  COMPANY_ALREADY_EXISTS: bodyOf('COMPANY_ALREADY_EXISTS'),
}

/** Whether an operation may answer with the code. */
export function listsCode({ refusalBodies }: Pick<Operation, 'refusalBodies'>, code: RefusalCode): boolean {
  return refusalBodies?.[CODED_REFUSALS[code].status] === codedBody[code]
}

export function isRefusalCode(code: string): code is RefusalCode {
  return code in CODED_REFUSALS
}

function bodyOf(code: RefusalCode): TSchema {
  const { meaning, members } = CODED_REFUSALS[code]
  const failure = Type.Enum([code], {
    description: `What went wrong, for programs; absent when the refusal is for another reason. ${meaning}`,
  })
  return Type.Object({ failure: Type.Optional(failure), ...members }, { description: 'Why the request was refused.' })
}
