/** Says who gives a command; the audit log keeps it, and two different names close unknown money. */
import { userInfo } from 'node:os'

/** The name in HAVN_OPERATOR, else the system's user. */
export function operatorName(environment: NodeJS.ProcessEnv): string {
  return environment['HAVN_OPERATOR']?.trim() || userInfo().username
}

/** The name as the audit log writes it. */
export function operatorActor(environment: NodeJS.ProcessEnv): string {
  return `operator ${operatorName(environment)}`
}
