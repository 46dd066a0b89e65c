/** Declares the commands for a partner's developers. They use the public API only, through the client of `sdk/`. */
import type { Command } from 'commander'
import { addConformCommand } from './conformance/conform-command.ts'
import { addConsentCommands } from './consents/consent-commands.ts'
import { addEntriesCommand } from './entries/entries-command.ts'
import { addPaymentCommands } from './payments/payment-commands.ts'
import { addPayrollCommands } from './payrolls/payroll-commands.ts'
import { addLoginCommands } from './profile/login-commands.ts'
import { addRequestCommands } from './requests/request-commands.ts'
import { addWebhookCommandsOfDevelopers } from './webhooks/webhook-commands.ts'

/** Adds the commands to the program, some of them to groups of the operators' commands. */
export function addDeveloperCommands(program: Command): void {
  addLoginCommands(program)
  addConsentCommands(groupOf(program, 'consent'))
  addPaymentCommands(program)
  addPayrollCommands(groupOf(program, 'payroll'))
  addEntriesCommand(program)
  addWebhookCommandsOfDevelopers(program)
  addRequestCommands(program)
  addConformCommand(program)
}

/** The group of this name, which may have operators' commands already. */
function groupOf(program: Command, name: string): Command {
  return program.commands.find((command) => command.name() === name) ?? program.command(name)
}
