/**
 * Text units to repeat, so that redaction becomes slow. Each targets one of the rules, including former
 * rules.
 */
export const SLOW_UNITS: readonly string[] = [
  ..."0|a.|a@|@a|12 a |Ab |one |at dot |a-|unit 1 |(at)|l|x at |www.|a.com/|$|$1|1,|12/|1 x |at-|at.|_|a_|@|gmail ".split(
    "|",
  ),
  ..."facebook |fb: |1 1 |a 1 1 1 1 |corner of A and |box |po box |1/|1-|1:|12:30 |street |Wattle Street |1 Wattle ".split(
    "|",
  ),
  ..."(|((|a(|dot |one hundred and |double |twenty |0491 |00 |zero|hundred |ten-|'|a'|\u0301|\u200b|㌖|😀|\u3164|é|m2 ".split(
    "|",
  ),
  ..."1m|1 m x |- |1 , |( . |a ( . ) |dash |slash |a slash |http|x.|h.t.|handle |gmail.|1-bedroom |jan 1 |o|o1|i ".split(
    "|",
  ),
  ..."thirteen hundred |0 1 |s3ven |a b |constructor |\u{E0061}|ab ab |cd |2, 1|1\n|+61 |Ab St ".split("|"),
];
