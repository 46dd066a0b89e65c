/** Declares the commands of `havn clock`: show and move the sandbox clock of this machine. */
import type { Command } from 'commander'
import type { ClockMove } from '../../sdk/index.ts'

type Credentials = { readonly clientId: string; readonly clientSecret: string }

export function addClockCommands(group: Command): void {
  const clock = () => import('../sandbox-clock.ts')
  const withCredentials = (command: Command) =>
    command
      .option('--client-id <id>', 'a partner of the sandbox', 'demo-partner')
      .option('--client-secret <secret>', 'its secret', 'demo-partner-secret')
  const move = (name: string, description: string, argument: string | null, moveOf: (text: string) => ClockMove) => {
    const command = withCredentials(group.command(name).description(description))
    if (argument === null) {
      command.action(async (options: Credentials) => (await clock()).printMove(process.env, options, moveOf('')))
    } else {
      command
        .argument(argument)
        .action(async (text: string, options: Credentials) =>
          (await clock()).printMove(process.env, options, moveOf(text)),
        )
    }
  }
  withCredentials(
    group.command('show').description('print business time, wall time, and the target of a ' + 'move in progress'),
  ).action(async (options: Credentials) => (await clock()).printClock(process.env, options))
  move('advance', 'move business time ahead, for example by PT2H or P1D', '<duration>', (advance) => ({ advance }))
  move('set', 'move business time to an instant, for example 2027-01-04T09:00:00Z', '<instant>', (set) => ({ set }))
  move('reset', 'reset business time to wall time', null, () => ({ reset: true }))
}
