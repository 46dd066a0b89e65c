/** The methods of a user who has to choose one before signing in the app, and the third party's choice. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { BankContext } from '../bank-context.ts'
import { decisionDueAt, scriptedUser } from '../outcomes/scripted-user-lookup.ts'
import { schemaErrorMessages } from '../schema-errors.ts'
import { Xs2aError, xs2aError } from '../xs2a-error.ts'
import { issueAppCode } from './app-code.ts'
import type { Approach, Authorisation } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'

/** In the standard's form; the last one cannot be used here. */
export const SCA_METHODS = [
  { authenticationType: 'PUSH_OTP', authenticationMethodId: 'app', name: 'App on your phone' },
  {
    authenticationType: 'PHOTO_OTP',
    authenticationMethodId: 'code',
    name: 'QR code',
    explanation: 'You scan a code with the app.',
  },
  { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms', name: 'SMS to +47 *** ** 123' },
] as const

const choiceCheck = Compile(Type.Object({ authenticationMethodId: Type.String() }))

/** Whether the user of a new authorisation has to choose a method first. */
export function hasMethodsToChoose(approach: Approach, userId: string | null): boolean {
  return approach === 'app' && scriptedUser(userId)?.choosesMethod === true
}

/** An app authenticates its user only together with the signature: before it, the status means an open choice. */
export function awaitsMethod({ approach, sca_status, outcome }: Authorisation): boolean {
  return approach === 'app' && sca_status === 'psuAuthenticated' && outcome === null
}

/** Selects the method that the third party names, and returns it with the authorisation. */
export async function selectMethod(context: BankContext, authorisation: Authorisation, body: unknown) {
  if (!choiceCheck.Check(body)) {
    throw new Xs2aError(400, schemaErrorMessages(choiceCheck.Errors(body)))
  }
  const method = SCA_METHODS.find(({ authenticationMethodId: id }) => id === body.authenticationMethodId)
  if (method === undefined || method.authenticationType === 'SMS_OTP') {
    throw xs2aError(400, 'SCA_METHOD_UNKNOWN', 'The user cannot sign with this method', 'authenticationMethodId')
  }
  const dueAt = decisionDueAt(authorisation.psu_id, context.clock.now())
  const chosen = await updateAuthorisation(context.database.query, authorisation.id, {
    sca_status: 'scaMethodSelected',
    ...(dueAt === undefined ? {} : { due_at: dueAt.toString() }),
    ...(method.authenticationType === 'PHOTO_OTP' ? issueAppCode(context, 'image') : {}),
  })
  return { chosen, method }
}
