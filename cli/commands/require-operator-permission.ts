/** Requires the permission of an operator for a command: the console permits the same. */
import type { Command } from 'commander'

/** Only an operator who proves who they are has permissions; others have access to the machine. */
export async function requireOperatorPermissionFor(command: Command): Promise<void> {
  if (process.env['HAVN_OPERATOR_TOKEN']?.trim()) {
    const { commandName, permissionOfCommand } = await import('../operator/command-permissions.ts')
    const { withOperatorContext } = await import('../operator/operator-context.ts')
    const { requireOperatorPermission } = await import('../operator/find-operator.ts')
    const permission = permissionOfCommand(commandName(command))
    await withOperatorContext(process.env, (context) => requireOperatorPermission(context, process.env, permission))
  }
}
