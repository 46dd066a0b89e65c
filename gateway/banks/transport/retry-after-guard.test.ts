/** Shows for which calls, and for how long, a bank's `Retry-After` is obeyed. */
import { expect, test } from 'vitest'
import { createRetryAfterGuard } from './bank-call-limits.ts'

function open() {
  const time = { seconds: 0 }
  const guard = createRetryAfterGuard(() => time.seconds * 1_000)
  const answer = (resource: string, status: number, retryAfter?: string) =>
    guard.record(resource, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      body: '',
    })
  return { time, guard, answer }
}

test.each([429, 503, 500, 413])('a %s with Retry-After holds for what it is about, until then', (status) => {
  const { time, guard, answer } = open()
  answer('order', status, '120')
  expect(guard.waitOf('order')).toEqual({ retryAfterSeconds: 120, isRateLimit: status === 429 })
  expect(guard.waitOf('another')).toBeUndefined()
  time.seconds = 119.5
  expect(guard.waitOf('order')).toMatchObject({ retryAfterSeconds: 1 })
  time.seconds = 120
  expect(guard.waitOf('order')).toBeUndefined()
})

test('an answer ends it, and so does an error without Retry-After', () => {
  const { guard, answer } = open()
  answer('order', 503, '120')
  answer('order', 200)
  expect(guard.waitOf('order')).toBeUndefined()
  answer('order', 503, '120')
  answer('order', 503, 'soon')
  expect(guard.waitOf('order')).toBeUndefined()
})

test('a bank that limits calls about three things in a row limits all, for an hour at most, until it answers', () => {
  const { time, guard, answer } = open()
  for (const order of ['one', 'two', 'two']) {
    answer(order, 429, '60')
  }
  expect(guard.waitOf('another')).toBeUndefined()
  answer('three', 429, '7200')
  expect(guard.waitOf('another')).toEqual({ retryAfterSeconds: 3_600, isRateLimit: true })
  time.seconds = 3_600
  expect(guard.waitOf('another')).toBeUndefined()
  expect(guard.waitOf('three')).toEqual({ retryAfterSeconds: 3_600, isRateLimit: true })
  answer('four', 429, '60')
  expect(guard.waitOf('another')).toMatchObject({ retryAfterSeconds: 60 })
  answer('one', 200)
  expect(guard.waitOf('another')).toBeUndefined()
})

test('errors about single things never limit all', () => {
  const { guard, answer } = open()
  for (const order of ['one', 'two', 'three', 'four']) {
    answer(order, 503, '3600')
  }
  expect(guard.waitOf('another')).toBeUndefined()
})
