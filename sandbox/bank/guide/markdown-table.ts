/** Renders tables, amounts and durations in the format of the sandbox guide. */
import { groupDigits } from '../../../gateway/platform/money.ts'

/** Columns are padded to their content, so that the source is readable too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(widthOf)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** `NOK 1 000 000.00`. */
export function moneyText(currency: string, amount: string): string {
  const [whole = '', fraction = '00'] = amount.split('.')
  return `${currency} ${groupDigits(whole, ' ')}.${fraction}`
}

/** `a minute later`, `6 days later`. */
export function durationText(duration: string): string {
  const { days, hours, minutes } = Temporal.Duration.from(duration)
  const [count, unit, article] =
    days > 0 ? [days, 'day', 'a'] : hours > 0 ? [hours, 'hour', 'an'] : [minutes, 'minute', 'a']
  return count === 1 ? `${article} ${unit} later` : `${count} ${unit}s later`
}

function widthOf(text: string): number {
  return [...text].length
}
