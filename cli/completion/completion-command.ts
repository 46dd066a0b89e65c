/** Declares `havn completion`, which prints the completion of a shell. */
import { Argument, type Command } from 'commander'
import { SHELLS, type Shell } from './completed-command.ts'

export function declareCompletion(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  # bash: in ~/.bashrc
  source <(havn completion bash)
  # zsh: in ~/.zshrc, after compinit
  source <(havn completion zsh)
  # fish
  havn completion fish > ~/.config/fish/completions/havn.fish`,
    )
    .action(async (shell: Shell) => {
      const { completionOf } = await import('./render-completion.ts')
      process.stdout.write(completionOf(shell, command.parent ?? command))
    })
}
