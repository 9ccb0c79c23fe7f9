package io.acidq.cli;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the public id of a message. */
final class IdConverter implements ITypeConverter<MessageId> {

    @Override
    public MessageId convert(String text) {
        try {
            return MessageId.parse(text);
        } catch (IllegalArgumentException | AcidqException e) {
            throw new TypeConversionException("'" + text + "' is no id of a message: expected queue~lane~uid");
        }
    }
}
