/** Determines the operator of a command, for the audit log and for dual control of unknown money. */
import { userInfo } from 'node:os'

/** HAVN_OPERATOR, by default the system user. */
export function operatorName(environment: NodeJS.ProcessEnv): string {
  return environment['HAVN_OPERATOR']?.trim() || userInfo().username
}

/** The operator in the format of the audit log. */
export function operatorActor(environment: NodeJS.ProcessEnv): string {
  return `operator ${operatorName(environment)}`
}
