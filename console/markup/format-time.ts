/** Formats times as readers in the Nordic countries write them, in Central European time. */
import { html } from 'ghtml'
import { REPORTING_TIME_ZONE, startOfReportingDay } from '../../gateway/countries/bank-days.ts'

/** `25.11.2026 14:05:09`, machine-readable in UTC; business time, in which everything about orders happens. */
export function timeMarkup(at: Temporal.Instant): string {
  return html`<time datetime="${at.toString({ smallestUnit: 'millisecond' })}">${formatTime(at)}</time>`
}

/** The same of wall time, which is never moved. `shown` replaces the time for readers, for example by an age. */
export function wallTimeMarkup(at: Temporal.Instant, shown = formatTime(at)): string {
  return html`<time class="wall" datetime="${at.toString({ smallestUnit: 'millisecond' })}">${shown}</time>`
}

/** `25.11.2026 14:05:09` */
export function formatTime(at: Temporal.Instant): string {
  const local = at.toZonedDateTimeISO(REPORTING_TIME_ZONE)
  return `${formatDay(local.toPlainDate())} ${local.toPlainTime().toString({ smallestUnit: 'second' })}`
}

/** `25.11.2026 14:05 CET` */
export function formatTimeWithZone(at: Temporal.Instant): string {
  const isSummer = at.toZonedDateTimeISO(REPORTING_TIME_ZONE).offset === '+02:00'
  return `${formatTime(at).slice(0, '25.11.2026 14:05'.length)} ${isSummer ? 'CEST' : 'CET'}`
}

/** `25.11.2026` */
export function formatDay(day: Temporal.PlainDate): string {
  const [year = '', month = '', date = ''] = day.toString().split('-')
  return `${date}.${month}.${year}`
}

/** `25.11.` */
export function formatDayOfMonth(day: Temporal.PlainDate): string {
  return formatDay(day).slice(0, '25.11.'.length)
}

/** `14,5 ms`, or seconds for what takes longer than one: `1,25 s`. */
export function formatMilliseconds(milliseconds: number): string {
  const [figure, unit] =
    milliseconds < 1000 ? [Math.round(milliseconds * 10) / 10, 'ms'] : [Math.round(milliseconds / 10) / 100, 's']
  return `${String(figure).replace('.', ',')}\u00a0${unit}`
}

/** A moment that a reader entered. */
export function instantForReaders(moment: Temporal.PlainDateTime): Temporal.Instant {
  return moment.toZonedDateTime(REPORTING_TIME_ZONE).toInstant()
}

/** The first moment of a day, as readers count days. */
export const startOfDayForReaders = startOfReportingDay
