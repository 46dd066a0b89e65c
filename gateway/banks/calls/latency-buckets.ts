/** Counts durations in buckets, each a tenth longer than the one before: percentiles are exact to five per cent. */

const GROWTH = 1.1

/** So many calls in a bucket. */
export type BucketCount = { readonly bucket: number; readonly calls: number }

/** Everything up to a millisecond is in the first one. */
export function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(GROWTH)))
}

/** The duration that so large a share of the calls did not exceed; null without calls. */
export function percentileOf(counts: readonly BucketCount[], share: number): number | null {
  const total = counts.reduce((sum, { calls }) => sum + calls, 0)
  let passed = 0
  for (const { bucket, calls } of counts.toSorted((one, other) => one.bucket - other.bucket)) {
    passed += calls
    if (passed >= total * share) {
      return GROWTH ** Math.max(0, bucket - 0.5)
    }
  }
  return null
}
