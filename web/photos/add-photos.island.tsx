import { PhotoField } from "./photo-field.tsx";

/** Lets a customer add photos to a request they have sent. Resumes uploads that the form began. */
export default function AddPhotos({ token, file }: { token: string; file: string }) {
  return <PhotoField file={file} getTarget={() => ({ header: "Request-Token", value: token })} />;
}
