/** Exact decimal arithmetic of the market, rounded half up. */
import Big from 'big.js'

/** Parses a plain decimal such as `11.2425`; undefined when the text is not one. */
export function parseDecimal(text: string): Big | undefined {
  return /^[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text) ? new Big(text) : undefined
}

/** Rounded half up to a scale, once. */
export function divide(dividend: Big, divisor: Big, scale: number): Big {
  const Scaled = Big()
  Scaled.DP = scale
  return new Scaled(dividend).div(divisor)
}

export function fromMinor(minor: bigint, decimals: number): Big {
  return new Big(`${minor}e-${decimals}`)
}

/** Rounded half up to minor units. */
export function toMinor(value: Big, decimals: number): bigint {
  return BigInt(value.times(`1e${decimals}`).toFixed(0, Big.roundHalfUp))
}

/** Without trailing zeros, but with at least `decimalsMin` decimals. */
export function formatDecimal(value: Big, decimalsMin: number): string {
  const all = value.toFixed()
  const decimals = all.split('.')[1] ?? ''
  return decimals.length < decimalsMin ? value.toFixed(decimalsMin) : all
}
