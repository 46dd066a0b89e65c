/** Lists what an operator must be permitted for a command: the same as for its page or action in the console. */
import type { Command } from 'commander'
import type { ConsolePermission } from '../../console/access/console-role.ts'

/** Commands that the console lacks concern the whole installation. */
const PERMISSION_OF_OTHERS: ConsolePermission = 'administrate'

const COMMANDS_BY_PERMISSION: Partial<Record<ConsolePermission, readonly string[]>> = {
  'operations.read': [
    ...['partner list', 'company list', 'company show', 'agreement list', 'onboarding save-documents', 'bank list'],
    ...['certificates show', 'tasks list', 'tasks show', 'deal list', 'deal show', 'ledger check'],
  ],
  'operations.act': [
    ...['onboarding accept', 'onboarding reject', 'onboarding ask-for-documents', 'onboarding revoke-link'],
    ...['tasks resolve', 'deal retry', 'deal cancel', 'deal refunded', 'deal send-back', 'deal keep', 'reconcile'],
    ...['data-set show', 'data-set load'],
  ],
  'developer.read': ['webhooks list', 'webhooks deliveries'],
  'developer.act': ['client create', 'client rotate', 'client revoke-former', 'client disable', 'webhooks replay'],
  'payments.read': ['consent expiring', 'onboarding list', 'onboarding show'],
  'payments.act': ['onboarding cancel'],
  'payroll.read': ['payroll list', 'payroll show'],
}

const permissionsByCommand = new Map(
  Object.entries(COMMANDS_BY_PERMISSION).flatMap(([permission, commands]) =>
    commands.map((command) => [command, permission as ConsolePermission] as const),
  ),
)

export function permissionOfCommand(name: string): ConsolePermission {
  return permissionsByCommand.get(name) ?? PERMISSION_OF_OTHERS
}

/** The words of a command after `havn`. */
export function commandName(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${commandName(parent)} ${command.name()}`
}
