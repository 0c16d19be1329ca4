/**
 * The first passwords that people try, in lower case and without symbols. They are refused everywhere, also where the
 * list of breaches (breached-passwords.ts) is off or does not respond. We wrote the list by hand and copied no published
 * one, so no licence applies.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
123456 1234567 12345678 123456789 1234567890 0123456789 987654321 0987654321 87654321 654321 000000 00000000
111111 1111111 11111111 222222 333333 444444 555555 666666 777777 7777777 888888 88888888 999999 99999999
121212 112233 123123 123123123 123321 123654 147258 147258369 159753 159357 101010 131313 696969 789456
741852963 456789 456123 321321 232323 212121 102030 1234qwer 123qwe 123abc 1234abcd 123456a 123456q 1q2w3e
1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 qazwsx qazwsxedc qwe123 qweasd qweasdzxc qwer1234 qwert123 qwerty
qwerty1 qwerty12 qwerty123 qwerty1234 qwertyuiop qwertz azerty asdfgh asdfghjkl asdf1234 asd123 zxcvbn
zxcvbnm zaq12wsx abc123 abcd1234 abcdef abc12345 a123456 a12345678 aa123456 aaaaaa password password1
password12 password123 password1234 password2 passw0rd pass123 pass1234 p4ssw0rd p4ssword pssw0rd pssword
admin1 admin123 admin1234 administrator root123 test123 test1234 testtest tester guest123 user123 login123
letmein letmein1 welcome welcome1 welcome123 changeme changeme1 default master master123 secret secret1
secret123 hello1 hello123 iloveyou iloveyou1 iloveyou2 lovely sunshine sunshine1 princess princess1 monkey
monkey1 dragon dragon1 dragon123 football football1 baseball basketball cricket soccer superman batman
spiderman starwars pokemon minecraft michael jordan jordan23 michelle jessica ashley daniel charlie thomas
andrew joshua jennifer nicole hunter hunter2 ginger pepper buster killer shadow freedom whatever computer
internet samsung google trustno1 cheese cookie chocolate butterfly flower flowers summer winter tigger
sydney sydney1 sydney123 melbourne australia aussie kangaroo lawnmower gardener naturestrip liverpool
`
    .trim()
    .split(/\s+/),
);
