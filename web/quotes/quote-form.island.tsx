import type { FormEvent, SyntheticEvent } from "react";

import type { FormChallenge } from "./challenge-source.ts";
import { UNCLEAR_SUBURB } from "../../contract/address.ts";
import { CONSENT_WORDING } from "../../contract/consent.ts";
import { getDefaultFrequency, isProposedFrequency, QUOTE_STEPS } from "../../contract/leads.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { FormIcon } from "../ui/icon.tsx";
import { ChallengeBox } from "./challenge-box.tsx";
import { ConsentLine } from "./consent-line.tsx";
import { FailureToast } from "./failure-toast.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import type { FormState } from "./post-form.ts";
import {
  groupErrorsByField,
  checkQuote,
  findFirstInvalidStep,
  LAST_STEP,
  readQuote,
  SEND_FAILED,
  filterStepErrors,
} from "./quote-check.ts";
import { DetailsStep, PropertyStep, ServiceStep } from "./quote-steps.tsx";
import { PhotoField } from "../photos/photo-field.tsx";
import type { PhotoTarget } from "../photos/photo-target.ts";
import { getSubmissionId } from "./submission-id.ts";
import { useSending } from "./use-request-form.ts";
import { HoneypotField } from "./honeypot-field.tsx";
import { useChallenge } from "./use-challenge.ts";
import { useDraft } from "./use-draft.ts";
import { useSteps } from "./use-steps.ts";
import { lookUpPlace, needsSuburb } from "../addresses/look-up-place.ts";
import type { MapsSource } from "../addresses/address-source.ts";
import { ChangingText } from "../ui/changing-text.tsx";

export type QuoteFormProps = FormState & {
  step: number;
  maps: MapsSource | null;
  challenge?: FormChallenge | undefined;
  /** The address of the module that lists picked photos. */
  photosFile: string;
};

const STEPS = [PropertyStep, ServiceStep, DetailsStep] as const;

/** Name of the hidden input that lists the fields the visitor touched. It is an input, so the draft keeps it. */
const TOUCHED = "touched";
const touchedField = (form: HTMLFormElement) => form.elements.namedItem(TOUCHED) as HTMLInputElement;
const readTouched = (form: HTMLFormElement) => new Set(touchedField(form).value.split(",").filter(Boolean));

/** Proposes the frequency of the chosen services until the visitor chooses one. */
function proposeFrequency(form: HTMLFormElement) {
  const { serviceType, frequency } = readQuote(new FormData(form));
  if (readTouched(form).has("frequency") || !isProposedFrequency(frequency)) return;
  const proposed = getDefaultFrequency((serviceType ?? []) as string[]);
  form.querySelector<HTMLInputElement>(`[name="frequency"][value="${proposed}"]`)!.checked = true;
}

/** Remembers that the visitor touched a field. */
function choose({ target, currentTarget }: SyntheticEvent<HTMLFormElement>) {
  const { name } = target as Partial<HTMLInputElement>;
  if (name) touchedField(currentTarget).value = [...readTouched(currentTarget).add(name)].join(",");
  if (name === "serviceType") proposeFrequency(currentTarget);
}

/**
 * Shows the quote's three steps as one form. Its inputs are uncontrolled and always in the page, so hydration loses no
 * input. Before or without the script, the buttons post the same form to the page's action.
 */
export default function QuoteForm(props: QuoteFormProps) {
  // Focus the heading of a new step without errors, so that screen readers announce the step.
  const { ref, errors, show, clear } = useFormErrors(props.errors, (form) => {
    form.querySelector<HTMLElement>(".quote__step:not([hidden]) > legend")?.focus();
    form.scrollIntoView({ block: "start" });
  });
  const { step, goTo, resume, openPage } = useSteps(props.step, () => show({}));
  const save = useDraft(ref, props, resume);
  const challenge = useChallenge(ref, props.challenge, "quote");
  const { sending, failure, send } = useSending("quote", "/api/leads", SEND_FAILED, challenge, props);

  function showStep(step: number, errors: FieldErrors) {
    goTo(step);
    show(errors);
    save();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.value === "back") return showStep(step - 1, {});
    const values = readQuote(new FormData(event.currentTarget));
    const checked = checkQuote(values, readTouched(event.currentTarget));
    if (step < LAST_STEP) {
      const own = groupErrorsByField(filterStepErrors(checked.errors, step));
      if (Object.keys(own).length > 0) return showStep(step, own);
      const place = step === 0 ? await lookUpPlace(values) : null;
      return needsSuburb(place)
        ? showStep(step, { customerAddress: UNCLEAR_SUBURB })
        : showStep(step + 1, {});
    }
    if (!checked.values)
      return showStep(findFirstInvalidStep(checked.errors), groupErrorsByField(checked.errors));
    const outcome = await send(checked.values);
    if (outcome.sent) return openPage("/success");
    if (Object.keys(outcome.errors).length > 0)
      showStep(findFirstInvalidStep(outcome.errors), outcome.errors);
  }

  /** Photos belong to the request with this submission id, whichever arrives first. */
  const getPhotoTarget = (): PhotoTarget => ({
    header: "Upload-Token",
    value: getSubmissionId("quote", props.submissionId),
  });

  const last = step === LAST_STEP;
  return (
    <>
      <form
        className="quote"
        method="post"
        action="/get-quote"
        noValidate
        ref={ref}
        onSubmit={submit}
        // A click on what is already chosen is an answer too.
        onClickCapture={choose}
        onInput={(event) => {
          choose(event);
          clear(event);
          save();
        }}
        aria-busy={sending}
      >
        {/* Enter in a field presses the form's first button, so the first one has to continue. */}
        <button className="visually-hidden" tabIndex={-1} aria-hidden="true" name="intent" value="continue" />
        <input type="hidden" name="step" value={step} />
        <input type="hidden" name="submissionId" value={props.submissionId ?? ""} />
        <HoneypotField startToken={props.values.startToken} />
        <input id={TOUCHED} name={TOUCHED} hidden />
        <input type="hidden" name="consentWording" value={CONSENT_WORDING} />
        <Progress step={step} />
        {STEPS.map((Step, index) => (
          <fieldset key={QUOTE_STEPS[index]!.title} className="quote__step" hidden={index !== step}>
            <legend tabIndex={-1}>
              <span className="visually-hidden">
                Step {index + 1} of {STEPS.length}:{" "}
              </span>
              {QUOTE_STEPS[index]!.title}
            </legend>
            <Step values={props.values} errors={errors} maps={props.maps} suburbs={props.suburbs} />
            {index === LAST_STEP && <PhotoField file={props.photosFile} getTarget={getPhotoTarget} />}
          </fieldset>
        ))}
        <ChallengeBox challenge={props.challenge} />
        <div className="quote__foot" data-last={last || undefined}>
          {last && <ConsentLine />}
          <div className="quote__buttons">
            {step > 0 && (
              <button
                className="button button--quiet"
                name="intent"
                value="back"
                formNoValidate
                disabled={sending}
              >
                Previous
              </button>
            )}
            <button
              className="button button--main"
              name="intent"
              value="continue"
              formNoValidate
              disabled={sending}
            >
              <ChangingText>{last ? (sending ? "Submitting..." : "Get My Quote") : "Continue"}</ChangingText>
              {!last && <FormIcon name="arrow" size={20} />}
            </button>
          </div>
        </div>
        <FailureToast failure={failure} />
      </form>
      <LeaveDialog form={ref} name="quote" />
    </>
  );
}

/** Shows the progress as a partly mown strip of lawn. */
function Progress({ step }: { step: number }) {
  return (
    <div className="progress">
      <div
        className="progress__strip"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native progress bar cannot be mown
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={1}
        aria-valuemax={STEPS.length}
        aria-valuenow={step + 1}
        aria-valuetext={`Step ${step + 1} of ${STEPS.length}`}
      >
        <div className="progress__mown" style={{ width: `${((step + 1) / STEPS.length) * 100}%` }} />
      </div>
      <ol aria-hidden="true">
        {QUOTE_STEPS.map(({ title }, index) => (
          <li key={title} data-current={index === step || undefined}>
            {title}
          </li>
        ))}
      </ol>
    </div>
  );
}
