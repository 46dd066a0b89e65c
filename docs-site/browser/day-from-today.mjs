/** Computes the days of examples, for the documentation's forms and in Postman: banks are closed on weekends. */

/**
 * So many days from a time, in UTC; where that is later and a Saturday or Sunday, the Monday after it.
 *
 * @param {number} milliseconds
 * @param {number} offset
 */
export function dayFromToday(milliseconds, offset) {
  const day = new Date(milliseconds + offset * 86400000)
  while (offset > 0 && day.getUTCDay() % 6 === 0) {
    day.setUTCDate(day.getUTCDate() + 1)
  }
  return day.toISOString().slice(0, 10)
}
