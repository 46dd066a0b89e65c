/** Renders the examples below the help of a command. */

/** Each with what it does; an empty text says nothing. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): string {
  const shown = lines.map(([command, what]) => `  ${what === '' ? '' : `# ${what}\n  `}${command}`)
  return `\nExamples:\n${shown.join('\n')}`
}
